"""Struck-out text, "~~…~~" in the canonical text of a page: kept for those who look, and not in force."""

from __future__ import annotations

import re

MARK = "~~"
_STRUCK = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`{1,2})(?!`)[^`\n]{1,200}+(?P=ticks)(?!`)|(?m:^ {0,3})```[^`]{1,20000}+```)"
    r"|(?<!~)~~(?![~\s])(?>(?:[^~\t\n]|~(?!~)|\n(?!\s*\n)){1,5000})(?<!\s)~~(?!~)"
)
_SHOWN = re.compile(r"\S")


def struck(text: str) -> str:
    """The text marked as struck out, line by line; white space at its ends stays outside of the marks."""
    return re.sub(r"[^\s~](?:[^\n]*[^\s~])?", lambda match: f"{MARK}{match.group().replace(MARK, '')}{MARK}", text)


def without_struck(text: str) -> str:
    """The text with blanks in place of what is struck out, so that offsets stay; code is left as it is."""
    if MARK not in text:
        return text
    return _STRUCK.sub(lambda match: match.group() if match["code"] else _SHOWN.sub(" ", match.group()), text)
