"""A Word document of paragraphs with links: four small parts in a zip container, the same bytes every time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SCHEMAS = "http://schemas.openxmlformats.org"
_MAIN = f"{_SCHEMAS}/wordprocessingml/2006/main"
_OF_DOCUMENT = f"{_SCHEMAS}/officeDocument/2006/relationships"
_PACKAGE = f"{_SCHEMAS}/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip container can state: it stands for none."""
_STYLES: Mapping[str, str] = {
    "Title": '<w:pPr><w:spacing w:after="240"/></w:pPr><w:rPr><w:b/><w:sz w:val="36"/></w:rPr>',
    "Heading1": '<w:pPr><w:keepNext/><w:spacing w:before="360"/></w:pPr><w:rPr><w:b/><w:sz w:val="26"/></w:rPr>',
    "Normal": "",
    "Source": '<w:pPr><w:ind w:left="360"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr>',
}
_LINKED = '<w:rPr><w:color w:val="27508F"/><w:u w:val="single"/></w:rPr>'


@dataclass(frozen=True, slots=True)
class Run:
    """Some words, and the address that they lead to, if any."""

    words: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, in one of the styles."""

    style: str
    runs: tuple[Run, ...]


def word_document(paragraphs: Sequence[Paragraph]) -> bytes:
    """The document of these paragraphs."""
    addresses = dict.fromkeys(run.address for paragraph in paragraphs for run in paragraph.runs if run.address)
    ids = {address: f"a{number}" for number, address in enumerate(addresses, start=1)}
    body = "".join(_paragraph(paragraph, ids) for paragraph in paragraphs)
    links = [(id_, "hyperlink", f'{quoteattr(address)} TargetMode="External"') for address, id_ in ids.items()]
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relationships([("document", "officeDocument", '"word/document.xml"')]),
        "word/document.xml": _main("document", f"<w:body>{body}</w:body>"),
        "word/styles.xml": _main("styles", "".join(map(_style, _STYLES))),
        "word/_rels/document.xml.rels": _relationships([("styles", "styles", '"styles.xml"'), *links]),
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in parts.items():
            container.writestr(zipfile.ZipInfo(name, _EARLIEST), _HEAD + content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _main(name: str, content: str) -> str:
    return f'<w:{name} xmlns:w="{_MAIN}" xmlns:r="{_OF_DOCUMENT}">{content}</w:{name}>'


def _paragraph(paragraph: Paragraph, ids: Mapping[str, str]) -> str:
    runs = "".join(_run(run, ids) for run in paragraph.runs)
    return f'<w:p><w:pPr><w:pStyle w:val="{paragraph.style}"/></w:pPr>{runs}</w:p>'


def _run(run: Run, ids: Mapping[str, str]) -> str:
    text = f'<w:t xml:space="preserve">{escape(run.words)}</w:t>'
    if not run.address:
        return f"<w:r>{text}</w:r>"
    return f'<w:hyperlink r:id="{ids[run.address]}"><w:r>{_LINKED}{text}</w:r></w:hyperlink>'


def _style(name: str) -> str:
    kind = f'w:type="paragraph" w:styleId="{name}" w:default="{int(name == "Normal")}"'
    title = name.replace("Heading1", "heading 1")
    return f'<w:style {kind}><w:name w:val="{title}"/>{_STYLES[name]}</w:style>'


def _relationships(targets: Sequence[tuple[str, str, str]]) -> str:
    rows = (f'<Relationship Id="{id_}" Type="{_OF_DOCUMENT}/{kind}" Target={to}/>' for id_, kind, to in targets)
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(rows)}</Relationships>'


def _content_types() -> str:
    kinds = {"document": f"{MEDIA_TYPE}.main+xml", "styles": MEDIA_TYPE.replace(".document", ".styles+xml")}
    rows = (f'<Override PartName="/word/{name}.xml" ContentType="{kind}"/>' for name, kind in kinds.items())
    xml = '<Default Extension="xml" ContentType="application/xml"/>'
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    return f'<Types xmlns="{_PACKAGE}/content-types">{xml}{rels}{"".join(rows)}</Types>'
