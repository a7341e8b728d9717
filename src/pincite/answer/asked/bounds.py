"""What a question asks of several alike: those of a time, those beyond a number, the latest, the largest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pincite.answer.asked.question import asks_yes_no
from pincite.answer.words.facts import Moment, dates_in

Extreme = Literal["latest", "earliest", "largest", "smallest", "most often", "least often"]
Change = Literal["rise", "fall"]
Days = tuple[int, int]
"""The first and the last day of a time, each as the number that its year, month and day are written as; 99 is the last
of its kind."""

EVER = (0, 99_999_999)
LONGEST_RELATION = 40
"""Characters in front of a date: "later than the beginning of the year" has 36."""

_EXTREMES: tuple[tuple[Extreme, str], ...] = (
    ("most often", r"most (?:often|frequently)"),
    ("least often", r"least (?:often|frequently)"),
    (
        "latest",
        r"latest|newest|most recent(?:ly)?|last(?=\s*\W*$)|(?<=the )last(?=\s(?!name|resort|word)\w)"
        r"|(?<=the )current(?=\s\w)|currently|up[- ]to[- ]date|(?:right )?now(?=\s*\W*$)|nowadays|youngest",
    ),
    ("earliest", r"earliest|oldest|first(?=\s*\W*$)|(?<=the )first(?=\s\w)"),
    (
        "largest",
        r"largest|biggest|greatest|highest|tallest|longest|deepest|widest|heaviest|strongest|fastest|hottest|dearest"
        r"|most expensive|(?<!at )(?:the )?most(?=\s(?!of|recent|likely|common|important|often)\w)",
    ),
    (
        "smallest",
        r"smallest|lowest|shortest|shallowest|narrowest|lightest|weakest|slowest|coldest|cheapest|fewest"
        r"|(?<!at )(?:the )?least(?=\s\w)",
    ),
)
_PATTERNS = tuple((name, re.compile(rf"\b(?:{words})\b", re.I)) for name, words in _EXTREMES)
_RELATION = re.compile(
    r"\b(?P<relation>after|later than|since|from|before|prior to|earlier than|until|till|up to|by|between|and|to|in"
    r"|during|on)\s+(?:the\s+)?(?:(?:end|start|beginning|year)\s+(?:of\s+)?)?$",
    re.I,
)
# "How long does it last?"
_LASTS = re.compile(r"(?<=\s)last(?=\W*$)")
_HELPS = re.compile(r"\b(?:do|does|did|will|can|may|must|should)\b", re.I)
_ASKS_WHICH = re.compile(r"(?:which|what|how many|how much|list|name|show)\b", re.I)
_UNTICKED = re.compile(
    r"\b(?:open|un(?:ticked|checked|done|finished|marked)|incomplete|outstanding|pending|missing|remain(?:s|ing)?"
    r"|left|to do|to be done|not (?:yet )?(?:been )?(?:ticked|checked|done|completed?|finished|marked))\b",
    re.I,
)
_TICKED = re.compile(r"\b(?:ticked|checked|done|completed?|finished|marked|crossed)\b", re.I)
_COUNTS = re.compile(r"^how many\b", re.I)
_SUMS = re.compile(
    r"\b(?:in total|in all|altogether|all together|combined|sum of|the total (?:of|for))\b|\btogether(?=\W*$)",
    re.IGNORECASE,
)
_ASKS_WHOSE = re.compile(r"(?:which|whose|who|how many)\b", re.IGNORECASE)
_CHANGES: tuple[tuple[Change, re.Pattern[str]], ...] = (
    (
        "rise",
        re.compile(r"\b(?:rise|rose|risen|gr[eo]w|grown|growth|gain\w*|increas\w+|went up|climb\w*|improv\w+)\b", re.I),
    ),
    ("fall", re.compile(r"\b(?:fall|fell|fallen|drop\w*|los[et]|decreas\w+|declin\w+|went down|shr[aiu]nk)\b", re.I)),
    ("rise", re.compile(r"\b(?:more|higher|larger|greater|better)\b.*\bthan in\b", re.I)),
    ("fall", re.compile(r"\b(?:less|lower|fewer|smaller|worse)\b.*\bthan in\b", re.I)),
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """`days`: the asked time, if any; `is_named`: the question names it ("in 2020"); `extreme` and the `word`
    that asks for it; `counts`: how many there are is asked, `sums`: how much they are together; `change`: what went up
    or down from one column to another is asked; `ticked`: whether of items with a box those are asked that are ticked,
    or those that are not."""

    days: Days | None
    is_named: bool
    extreme: Extreme | None
    word: str
    counts: bool
    sums: bool
    change: Change | None
    ticked: bool | None


def asked_bounds(question: str) -> Bounds | None:
    """What a question asks of several alike; None where it asks nothing of the kind, or for a verdict."""
    if asks_yes_no(question):
        return None
    days, is_named = _asked_days(question)
    question = _LASTS.sub("", question) if _HELPS.search(question) else question
    found = ((name, match) for name, pattern in _PATTERNS if (match := pattern.search(question)))
    extreme, match = next(found, (None, None))
    ticked = _asked_boxes(question)
    counts, sums = bool(_COUNTS.search(question)), bool(_SUMS.search(question))
    changes = _CHANGES if _ASKS_WHOSE.match(question) else ()
    change = next((name for name, pattern in changes if pattern.search(question)), None)
    if days is None and match is None and ticked is None and not (counts or sums or change):
        return None
    return Bounds(days, is_named, extreme, match.group() if match else "", counts, sums, change, ticked)


def days_of(moment: Moment) -> Days:
    """The days of a date that may lack its month or its day."""
    start = moment.year * 10_000
    return start + moment.month * 100 + moment.day, start + (moment.month or 99) * 100 + (moment.day or 99)


def _asked_boxes(question: str) -> bool | None:
    if not _ASKS_WHICH.match(question):
        return None
    return False if _UNTICKED.search(question) else bool(_TICKED.search(question)) or None


def _asked_days(question: str) -> tuple[Days | None, bool]:
    first, last = EVER
    is_named = False
    for moment in dates_in(question):
        match = _RELATION.search(question, max(0, moment.start - LONGEST_RELATION), moment.start)
        begin, end = days_of(moment)
        match match["relation"].casefold() if match else "":
            case "after" | "later than":
                first = end + 1
            case "since" | "from" | "between":
                first = begin
            case "before" | "prior to" | "earlier than":
                last = begin - 1
            case "until" | "till" | "up to" | "by" | "and" | "to":
                last = end
            case "in" | "during" | "on":
                first, last, is_named = begin, end, True
    return None if (first, last) == EVER else (first, last), is_named
