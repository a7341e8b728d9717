"""Strings that break programs: two hundred of them, each as it may come in a field that takes text."""

from __future__ import annotations

from itertools import product

_CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
_HIDDEN = [*"\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\ufe0f\ufeff\ufff9\ufffb\U000e0041"]
_TURNING = [f"abc{mark}def\u202c" for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"]
_HALVES = ["\ud800", "\udc00", "\udfff\ud800", "a\ud83d", "\udcffb", "\ufffe", "\uffff", "\U0010ffff"]
_SCRIPTS = [
    "הקדמה",
    "مرحبا بالعالم",
    "社會科學院",
    "パーティー",
    "한국어",
    "ไทย",
    "ÅÍÎÏ˝ÓÔ",
    "Ω≈ç√∫˜µ≤≥÷",
    "ﬃ ﬆ",
    "İıſẞ",
    "Ⅷ½²₃",
]
_MARKED = ["Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮", "e" + "\u0301" * 500, "👩🏽‍❤️‍💋‍👨🏿", "🇺🇸🇷🇺🇸", "1️⃣", "🏴\U000e0067\U000e007f", "𝕿𝖍𝖊", "ｆｕｌｌ"]
_MARKUP = """<script>alert(1)</script>|<img src=x onerror=alert(1)>|<svg/onload=alert(1)>|</textarea><b>x|<!--|]]>|
&lt;b&gt;|[x](javascript:alert(1))|![x](http://x/y.png)|<http://x.example>|`code`|```|# title|> quote|- item|1. item|
---|===|***x***|~~x~~|a|b|[^1]|[x]: http://x|$$x$$|&#x41;|&amp;|\\|\\\\|<details open>|
<a href=data:text/html,x>x</a>""".split("|")
_CODE = """'|"|''|1;DROP TABLE chunk|' OR 1=1 --|"; --|%' AND 1=(SELECT 1)--|{{7*7}}|${7*7}|#{7*7}|<%= 7*7 %>|{0}|{}|
{x!r}|%s%s%n|%d|%(x)s|%00|%ff|%c0%ae|$HOME|$(id)|`id`|; id|| id|&& id|../../etc/passwd|..\\..\\x|file:///etc/passwd|
C:\\x|\\\\x\\y|/dev/null|CON|nul|__proto__|constructor|__class__|null|None|undefined|NaN|Infinity|-1|1e309|0x0|true|
() { :; }; id|${jndi:ldap://x}|<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>&y;|(|)|[|*|?|^|+|(a+)+$|\\d{999}|
type:pdf|page:0|p.-1|section 999999999999999999999|as of 99999|from 9999-99-99|"unclosed|((((|))))|AND OR NOT|
NEAR/5|a:b:c
""".split("|")
_LONG = ["x" * 3_000, "word " * 700, "(" * 2_000, "\u202e" * 1_000, "1" * 3_000, "," * 3_000, "é" * 3_500, "x" * 20_000]
_BLANK = ["", " ", "\n", "\t\r\n", "\u00a0", "\u3000", "?", "...", "-", "_"]
_AROUND = [f"{one}{two}" for one, two in product(("Who\x00", "Who\ud800", "<b>"), ("clears?", "\u202e", "'"))]

NAUGHTY: tuple[str, ...] = tuple(
    dict.fromkeys(
        [
            *(*_CONTROLS, *_HIDDEN, *_TURNING, *_HALVES, *_SCRIPTS, *_MARKED),
            *(*_MARKUP, *_CODE, *_LONG, *_BLANK, *_AROUND),
        ]
    )
)


def every_third(place: int) -> tuple[str, ...]:
    """Those that a place gets where all are too many: the next two places get the others."""
    return NAUGHTY[place % 3 :: 3]
