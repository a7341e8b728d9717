"""A question of a conversation, completed from those before it by rules: pronouns, and what is left out.

What cannot be completed by a sure rule stays as it was typed: a wrong topic answers worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answer.asked.noun_phrases import (
    AUXILIARIES,
    DETERMINERS,
    IMPERATIVES,
    PREPOSITIONS,
    QUESTION_WORDS,
    STOPS,
    TO_DO,
    is_several,
)
from pincite.answer.asked.question import YEAR, asks_yes_no
from pincite.answer.asked.topics import Earlier, named, person_of, several_of, thing_of, topic_of
from pincite.answer.words.facts import names_in

_JOINING = re.compile(r"^(?:(?:and|but|so|then|okay|ok|well|also)\b[,\s]*)+", re.I)
_WHAT_ABOUT = re.compile(r"^(?:what|how)\s+about\s+|^what\s+of\s+", re.I)
MOST_WORDS = 60
"""A longer question says itself what it is about, and is taken for no other's beginning. By eye, not measured."""
_ASKS_WORD = re.compile(
    r"(?:(?:since|by|for|to|from)\s)?(?:when|why|where|whom?|how(?:\s(?:much|many|long|often|far|so))?|why\snot)"
    r"|(?:\w+\s)?(?:which|what)\s\w+",
    re.I,
)
_WHERE_IT_SAYS = re.compile(
    r"where (?:does|do|is) (?:it|that|this|they)\b.*\b(?:says?|said|written|stated?|stands?|comes? from)\b.*"
    r"|says who|(?:on )?(?:which|what) page|source",
    re.I,
)
_IF = re.compile(r"(?:even )?if\b|unless\b|in case\b", re.I)
_PREPOSITION = re.compile(rf"(?P<word>according to|{'|'.join(sorted(PREPOSITIONS))})\s+", re.I)
_OF_TIME_AND_PLACE = frozenset("in at on during since before after until near under above below within".split())
_NUMBERED = re.compile(r"(?<![\w.])\d+(?:\.\d+)+(?![\w.])")
_COUNTED = re.compile(r"\b[A-Z]{1,3}\d+\b")
_OPPOSITES = "maximum minimum highest lowest largest smallest longest shortest upper lower earliest latest gross net"
_PAIRS = tuple(zip(_OPPOSITES.split()[::2], _OPPOSITES.split()[1::2], strict=True))
_OPPOSITE = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_LABELLED = re.compile(r"(?P<label>[^\W\d_]+)\s(?P<number>\d[\w.-]*|[A-Z])")
_MEASURED = re.compile(r"(?P<number>\d[\d.,]*)\s?(?P<unit>[^\W\d]\S*|[°%]\S*|°\s?\w)")
_ASPECTS = re.compile(
    r"(?:the\s)?(?P<aspect>exceptions?|exemptions?|requirements?|conditions?|penalt(?:y|ies)|fees?|costs?|reasons?"
    r"|consequences?|limits?|limitations?|definitions?|examples?|details?|deadlines?|risks?|steps?|drawbacks?)",
    re.I,
)
_ACTING = re.compile(r"(?P<who>.*?\b(?:I|you|we|one|to))\s")
_ON_A_VERDICT = re.compile(r"\b(?:this|that)$", re.I)
_DOES_THAT = re.compile(r"\bdo (?:that|this|it|so)\b", re.I)
_PERSON = frozenset("he him she".split())
_OWNED = {"his": "person", "its": "thing", "their": "several"}
_BARE = {"it": "thing", "they": "several", "them": "several"} | dict.fromkeys(_PERSON, "person")
_EMPTY_IT = re.compile(
    r"\bit\s+(?:possible|allowed|necessary|required|permitted|true|mandatory|forbidden|legal|safe|enough|better|best)"
    r"\b.*\b(?:to|that|if)\b|\bdoes\s+it\s+(?:take|matter)\b|\bit\s+(?:takes|matters)\b",
    re.I,
)
_CLAUSE_ENDS = re.compile(r",|\b(?:and|but|or|if|when|that|which|because|while|before|after)\b", re.I)
_THING_BEFORE = re.compile(rf"\b(?:{'|'.join(sorted(DETERMINERS - {'all', 'no'}))})\s+\w", re.I)
_ASKING = QUESTION_WORDS | AUXILIARIES
_HOLDER = frozenset("company firm organisation organization city town country book film product project".split())
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def completed(typed: str, turns: Sequence[Earlier]) -> str:
    """The question with what it leaves out or calls by a pronoun, from the turns before, oldest first; as typed where
    it stands alone."""
    text = " ".join(typed.split())
    core = text.rstrip("?!. ")
    if not turns or not core or _is_long(core) or _is_long(turns[-1].question):
        return typed
    turns = [turn for turn in turns if not _is_long(turn.question)]
    before = turns[-1].question.rstrip("?!. ")
    joined = _JOINING.sub("", core)
    rest = _WHAT_ABOUT.sub("", joined)
    if _WHERE_IT_SAYS.fullmatch(joined):
        return _asked(before)
    if _ASKS_WORD.fullmatch(joined):
        return _asked(_asked_on(before, joined))
    if not _asks(before):
        found = _in_place_of_like(before, "", rest)
        return typed if found is None else _asked(found)
    if rest != joined or _is_fragment(joined):
        found = _filled_in(before, _with_names(rest, turns), is_said=rest != core)
        return typed if found is None else _asked(found)
    if _ON_A_VERDICT.search(joined) and asks_yes_no(before):
        return _asked(f"{joined}: {_lowered(before)}")
    if acting := _ACTING.match(before):
        joined = _DOES_THAT.sub(f"{before[acting.end() :]}", joined)
    resolved = _with_names(joined, turns)
    return typed if resolved == core else _asked(resolved)


def _is_long(question: str) -> bool:
    return len(question.split()) > MOST_WORDS


def _asked(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}?"


def _asked_on(before: str, word: str) -> str:
    """The question before with a question word that goes on asking."""
    if asks_yes_no(before) and not word.endswith(" not"):
        return f"{word} {_lowered(before)}"
    return f"{before}, and {_lowered(word)}"


def _lowered(text: str) -> str:
    return f"{text[:1].casefold()}{text[1:]}"


def _is_fragment(text: str) -> bool:
    """Whether a text asks nothing by itself, but in a condition."""
    return not _asks(text.partition(",")[2] if _IF.match(text) else text)


def _asks(text: str) -> bool:
    """Whether a text asks in English: with a question word, the verb of a question, or a verb such as "explain"."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return not _ASKING.isdisjoint(words) or not IMPERATIVES.isdisjoint(words[:1])


def _filled_in(before: str, fragment: str, *, is_said: bool) -> str | None:
    """The question before with a fragment in the place of its like, or behind it; None where a fragment that nothing
    says to be one ("and", "what about", a preposition) has no like."""
    if _IF.match(fragment):
        return f"{before} {fragment}"
    match = _PREPOSITION.match(fragment)
    preposition, core = (match["word"], fragment[match.end() :]) if match else ("", fragment)
    same = _in_place_of_like(before, preposition, core)
    if same is not None:
        return same
    if preposition:
        return _with_preposition(before, preposition, core)
    if not is_said:
        return None
    topic, aspect = topic_of(before), _ASPECTS.fullmatch(core)
    if aspect and topic:
        verb = "are" if is_several(aspect["aspect"]) else "is"
        return f"what {verb} the {aspect['aspect']} of {topic}"
    if topic and topic in core and (acting := _ACTING.match(before)):
        return f"{acting['who']} {core}"
    owner = next((name for name in named(before) if name in core and name != core), None)
    if owner is not None:
        return _replaced_last(before, owner, core)
    if names_in(core) == [core] and named(before):
        return _replaced_last(before, named(before)[-1], core)
    return _in_place_of_topic(before, topic, core)


def _in_place_of_topic(before: str, topic: str, core: str) -> str:
    """The question before about another thing; an owner stays ("the height" for "the width of an escape route")."""
    head, _, owner = topic.removeprefix("the ").partition(" of ")
    place = re.search(rf"(?:\b(?:the|an?)\s+)?\b{re.escape(head)}(?!\w)", before) if head else None
    if place is None:
        return f"{before}, {core}"
    end = len(before) if owner and " of " in core else place.end()
    return before[: place.start()] + core + before[end:]


def _in_place_of_like(before: str, preposition: str, core: str) -> str | None:
    """The question before with a year, a numbered thing, a measure or a name in the place of one of its kind."""
    opposite = _OPPOSITE.get(core.casefold().removeprefix("the "))
    if opposite and re.search(rf"\b{opposite}\b", before, re.I):
        return re.sub(rf"\b{opposite}\b", core.casefold().removeprefix("the "), before, count=1, flags=re.I)
    for pattern in (_NUMBERED, _COUNTED):
        if pattern.fullmatch(core) and len(pattern.findall(before)) == 1:
            return pattern.sub(core, before)
    if YEAR.fullmatch(core):
        return YEAR.sub(core, before) if len(YEAR.findall(before)) == 1 else None
    labelled, measured = _LABELLED.fullmatch(core), _MEASURED.fullmatch(core)
    if labelled:
        other = re.search(rf"\b{re.escape(labelled['label'])}\s(?:\d[\w.-]*|[A-Z])(?!\w)", before, re.I)
        return None if other is None else before[: other.start()] + core + before[other.end() :]
    if measured:
        other = re.search(rf"(?P<before>\w+\s)?\b\d[\d.,]*\s?{re.escape(measured['unit'])}(?!\w)", before)
        if other is None:
            return None
        kept = (other["before"] or "").strip()
        lead = preposition if preposition and kept.casefold() in PREPOSITIONS else kept
        return f"{before[: other.start()]}{lead} {core}{before[other.end() :]}"
    names = named(before)
    if preposition and names_in(core) == [core] and names:
        behind = re.search(rf"\b{re.escape(preposition)}\s+(?:the\s+)?(?=[A-Z])", before)
        if behind:
            name = names_in(before[behind.end() :])[0]
            return before[: behind.end()] + core + before[behind.end() + len(name) :]
        if preposition.casefold() not in _OF_TIME_AND_PLACE:
            return _replaced_last(before, names[-1], core)
    return None


def _with_preposition(before: str, preposition: str, core: str) -> str:
    """The question before with these words in the place of what the same preposition leads to, else behind it."""
    lead = re.search(rf"\b{re.escape(preposition)}\s+", before, re.I)
    words = list(_WORD.finditer(before, lead.end())) if lead else []
    if lead is None or not words or YEAR.fullmatch(core) or YEAR.match(words[0].group()):
        return f"{before} {preposition.casefold()} {core}"
    inside = words[1:] if words[0].group().casefold() in DETERMINERS else words
    end = next((word.start() for word in inside if word.group().casefold() in STOPS), len(before))
    return f"{before[: lead.end()]}{core} {before[end:]}".rstrip()


def _replaced_last(text: str, old: str, new: str) -> str:
    head, _, tail = text.rpartition(old)
    return head + new + tail


def _with_names(text: str, turns: Sequence[Earlier]) -> str:
    """A question with what its pronouns mean in their place, but for those that stand for something in itself."""
    words = list(_WORD.finditer(text))
    pieces: list[str] = []
    end = 0
    for index, word in enumerate(words):
        until, meant = _meant(text, words, index, turns)
        if meant and word.start() >= end:
            pieces += [text[end : word.start()], meant]
            end = until
    return "".join([*pieces, text[end:]])


def _meant(text: str, words: Sequence[re.Match[str]], index: int, turns: Sequence[Earlier]) -> tuple[int, str]:
    """What the word at this place means, and where the words end that it replaces; empty where it is no pronoun, or
    stands for something in the question itself."""
    word, head = words[index], text[: words[index].start()]
    lower = word.group().casefold()
    follows = words[index + 1].group().casefold() if index + 1 < len(words) else ""
    if lower == "her":
        lower = "his" if follows and follows not in STOPS else "him"
    if lower in _OWNED and not (_THING_BEFORE.search(head) or named(head)):
        owner = _found(_OWNED[lower], turns)
        return word.end(), f"{owner}{'’' if owner.endswith('s') else '’s'}" if owner else ""
    if lower in _BARE and not _EMPTY_IT.search(text) and not _has_own(head, lower):
        return word.end(), _found(_BARE[lower], turns)
    is_behind_stop = index > 0 and words[index - 1].group().casefold() in STOPS
    if lower in ("this", "that", "these", "those") and (is_behind_stop or not follows):
        return _pointed_at(words, index, turns)
    return word.end(), ""


def _has_own(head: str, pronoun: str) -> bool:
    """Whether the question itself has, in a clause before the pronoun, what that may stand for."""
    if pronoun in _PERSON:
        return bool(named(head))
    ends = list(_CLAUSE_ENDS.finditer(head))
    clause = head[: ends[-1].start()] if ends else ""
    return bool(_THING_BEFORE.search(clause) or named(clause))


def _pointed_at(words: Sequence[re.Match[str]], index: int, turns: Sequence[Earlier]) -> tuple[int, str]:
    """What "that" or "that company" points at."""
    behind = [word.group().casefold() for word in words[index + 1 : index + 3]] + ["", ""]
    is_several_meant = words[index].group().casefold() in ("these", "those")
    is_after_do = words[index - 1].group().casefold() in TO_DO
    stands_alone = not behind[0] or behind[0] in STOPS or behind[0].endswith(("ed", "en"))
    if stands_alone or (is_after_do and (not behind[1] or behind[1] in STOPS)):
        return words[index].end(), _found("several" if is_several_meant else "thing", turns)
    topic = topic_of(turns[-1].question)
    if behind[0] in topic.casefold().split():
        return words[index + 1].end(), topic
    return words[index + 1].end(), thing_of(turns) if behind[0] in _HOLDER else ""


def _found(kind: str, turns: Sequence[Earlier]) -> str:
    return {"person": person_of, "thing": thing_of, "several": several_of}[kind](turns)
