"""Where references lead: the places of every document of a set, and the target of each reference among them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from pincite.records.outlines import Hyperlink, Outline, Reference, ReferenceLink, ReferenceStatus, Target
from pincite.structure.lookup import ANCHOR_KINDS, Places
from pincite.structure.references import references_in
from pincite.structure.wording import Names, is_standard
from pincite.structure.works import Works

_STATUTE = re.compile(r"\d{1,3}[A-Z]?(?:\(\w+\))+")
_OTHER = re.compile(r"(?:that|those|the\s+said)\s")
_SURELY = re.compile(
    r"(?:19|20)\d\d|\bN(?:o\b|°)|\d/\d|[a-z]\s\d{1,3}$|^[Nn]ational\s+[Aa]nnex|\(|"
    r"(?:[A-Z]\w{1,60}\W{1,9}(?:\w{1,3}\W{1,9})?){3}[A-Z]"
)
_ANY = re.compile(
    r"[^\d)](?:Papers?|Profile|Study|Reports?|Statement|Assessment|Appraisal|Review|Inventory|Document)(?:\s*\([^()]*\))?$"
)
POINT_OF_PAGE = "page="
LONGEST_PAGE = 5_000
"""Characters. By eye, not measured."""
NO_DOCUMENT = "not in the store"
NO_PLACE = "no such place"


def link_references(outlines: Sequence[Outline]) -> Iterator[ReferenceLink]:
    """What becomes of every reference of every document, in order. What turns out to be no reference is left out."""
    names = Names((outline.source_id, outline.names) for outline in outlines)
    for outline in outlines:
        for reference in outline.references:
            if reference.document and "(" in reference.document:
                names.learn(reference.document)
    places = {item.source_id: Places(item) for item in outlines}
    works = Works(outlines)
    for outline in outlines:
        yield from _Linker(outline, names, places, works).links()


class _Linker:
    """Resolves the references of one document, in reading order."""

    def __init__(self, outline: Outline, names: Names, places: Mapping[str, Places], works: Works) -> None:
        self._outline = outline
        self._names = names
        self._places = places
        self._works = works
        self._hyperlinks = {item.reference: item for item in outline.hyperlinks if item.reference is not None}
        self._own = places[outline.source_id]
        self._links: dict[int, ReferenceLink | None] = {}
        self._sources = {reference.ordinal: self._source_of(reference) for reference in outline.references}
        self._near: dict[int | None, dict[str, None]] = defaultdict(dict)
        self._often: Counter[tuple[str, str]] = Counter()
        for reference in outline.references:
            source = self._sources[reference.ordinal]
            if source is not None and source != outline.source_id:
                self._near[self._own.section_at(reference.start)][source] = None
                self._often[reference.unit, source] += 1

    def links(self) -> Iterator[ReferenceLink]:
        """The links of all references of the document."""
        for reference in self._outline.references:
            link = self._link(reference)
            if link is not None:
                yield link

    def _link(self, reference: Reference) -> ReferenceLink | None:
        if reference.ordinal not in self._links:
            self._links[reference.ordinal] = None
            self._links[reference.ordinal] = self._resolve(reference)
        return self._links[reference.ordinal]

    def _resolve(self, reference: Reference) -> ReferenceLink | None:
        return self._followed(reference) or self._read(reference)

    def _followed(self, reference: Reference) -> ReferenceLink | None:
        """Where the hyperlink leads that is, or that carries, a reference; None where there is none, or where it leads
        nowhere and its words name a place themselves."""
        hyperlink = self._hyperlinks.get(reference.ordinal)
        if hyperlink is None:
            return None
        target = self._works.target(hyperlink)
        if target is not None:
            return self._made(reference, [self._exact(reference, target, hyperlink)])
        if reference.kind != "link":
            return None
        return self._made(reference, (), status=None if self._works.has_file(hyperlink) else "external")

    def _exact(self, reference: Reference, target: Target, hyperlink: Hyperlink) -> Target:
        """Of the places that the words of a reference name, the one next to a point of a page that its hyperlink leads
        to; the rest of the section around the point where they name none near it."""
        if not reference.unit or not (hyperlink.place or "").startswith(POINT_OF_PAGE):
            return target
        distances = [(abs(item.start - target.start), item) for item in self._find(reference, target.source_id)]
        distance, nearest = min(distances, key=itemgetter(0), default=(LONGEST_PAGE, target))
        return nearest if distance < LONGEST_PAGE else target

    def _read(self, reference: Reference) -> ReferenceLink | None:
        """Where the words of a reference lead."""
        if self._works.is_heading(reference, self._outline.source_id):
            return None
        if reference.relative is not None:
            found = self._own.neighbour(reference.unit, reference.start, reference.relative)
            return self._made(reference, found) if found else None
        named = self._sources[reference.ordinal]
        if reference.unit == "document":
            return self._whole(reference, named)
        if named is None and reference.document and _OTHER.match(reference.document):
            return self._carried(reference)
        if named is None and reference.document and _is_title(reference.document):
            return self._made(reference, (), status="external")
        if named is not None:
            return self._made(reference, self._find(reference, named))
        if reference.document and not reference.unit:
            return None
        own = self._find(reference, self._outline.source_id) if self._own.uses(reference.unit) else []
        if own:
            return self._made(reference, self._whole_elsewhere(reference) or own)
        if not reference.unit:
            return None
        if reference.document:
            return self._made(reference, (), status="external")
        return self._carried(reference)

    def _source_of(self, reference: Reference) -> str | None:
        """The source that a reference names; its own where it says "this"."""
        if reference.document is None:
            return None
        return self._outline.source_id if reference.document == "this" else self._names.find(reference.document)

    def _whole(self, reference: Reference, named: str | None) -> ReferenceLink | None:
        if named == self._outline.source_id:
            return None
        if named is None:
            is_sure = is_standard(reference.text) or (
                _SURELY.search(reference.text) and not _ANY.search(reference.text)
            )
            return self._made(reference, (), status="external") if is_sure else None
        return self._made(reference, [Target(named, 0, 0)])

    def _find(self, reference: Reference, source_id: str) -> list[Target]:
        places = self._places[source_id]
        at = reference.start if source_id == self._outline.source_id else None
        within = [target for target in self._within(reference) if target.source_id == source_id]
        found = places.find(reference.unit, reference.number or "", at, within)
        if reference.until is None or len(found) != 1:
            return found
        last = places.find(reference.unit, reference.until, at, within)
        return places.between(reference.number or "", found[0], last[0]) if last else found

    def _within(self, reference: Reference) -> tuple[Target, ...]:
        if reference.within is None:
            return ()
        link = self._link(self._outline.references[reference.within])
        return () if link is None or link.status != "resolved" else link.targets

    def _whole_elsewhere(self, reference: Reference) -> list[Target]:
        """ "section 95(6)" is no paragraph "95)" of this text where a document that it names has a section 95(6)."""
        number = reference.number or ""
        if not _STATUTE.fullmatch(number) or reference.unit == "paragraph" or self._own.is_whole(number):
            return []
        places = (self._places[source_id] for source_id in self._candidates(reference))
        whole = next((item.source_id for item in places if item.is_whole(number)), None)
        return [] if whole is None else self._find(reference, whole)

    def _carried(self, reference: Reference) -> ReferenceLink:
        """The place in another file of the same work, else in the document that was named last before it in the text,
        else that is named most often."""
        if found := self._works.numbered(reference, self._outline.source_id):
            return self._made(reference, found)
        stays = reference.unit in ANCHOR_KINDS or reference.unit in ("annex", "page")
        for source_id in () if stays else self._candidates(reference):
            found = self._find(reference, source_id)
            if found:
                return self._made(reference, found)
        return self._made(reference, ())

    def _candidates(self, reference: Reference) -> list[str]:
        """Other documents: those named in the same section, then those named most often, with this unit first."""
        near = self._near.get(self._own.section_at(reference.start), {})
        often = sorted(self._often.items(), key=lambda item: (item[0][0] != reference.unit, -item[1], item[0][1]))
        return list(near | {source: None for (_, source), _ in often})

    def _made(
        self, reference: Reference, targets: Iterable[Target], *, status: ReferenceStatus | None = None
    ) -> ReferenceLink:
        found = tuple(targets)
        if status == "external":
            return ReferenceLink(self._outline.source_id, reference.ordinal, "external", (), NO_DOCUMENT)
        if not found:
            return ReferenceLink(self._outline.source_id, reference.ordinal, "dangling", (), NO_PLACE)
        several = len(found) > 1 and reference.until is None
        return ReferenceLink(self._outline.source_id, reference.ordinal, "ambiguous" if several else "resolved", found)


def _is_title(words: str) -> bool:
    """More than an acronym, which may be no document at all."""
    return is_standard(words) or " " in words


def resolve_words(words: str, outlines: Sequence[Outline], source_id: str, offset: int) -> list[ReferenceLink]:
    """Where the references in `words` lead, read as if they stood at an offset of the joined text of a document."""
    shifted = tuple(
        replace(reference, start=reference.start + offset, end=reference.end + offset)
        for reference in references_in(words)
    )
    asking = [
        replace(
            outline,
            references=shifted if outline.source_id == source_id else (),
            hyperlinks=tuple(replace(item, reference=None) for item in outline.hyperlinks),
        )
        for outline in outlines
    ]
    return list(link_references(asking))
