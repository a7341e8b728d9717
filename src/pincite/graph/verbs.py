"""The past tense of an English verb, whatever form it is met in: one name for "invests", "investing", "invested"."""

from __future__ import annotations

import re

# Base form, past tense, past participle.
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beat beaten; become became become; begin began begun;
bend bent bent; bet bet bet; bid bid bid; bind bound bound; bite bit bitten; blow blew blown; break broke broken;
breed bred bred; bring brought brought; broadcast broadcast broadcast; build built built; burst burst burst;
buy bought bought; cast cast cast; catch caught caught; choose chose chosen; cling clung clung; come came come;
cost cost cost; creep crept crept; cut cut cut; deal dealt dealt; dig dug dug; do did done; draw drew drawn;
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt;
fight fought fought; find found found; flee fled fled; fly flew flown; forbid forbade forbidden;
forecast forecast forecast; foresee foresaw foreseen; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone; grind ground ground; grow grew grown;
hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held; hurt hurt hurt;
keep kept kept; know knew known; lay laid laid; lead led led; leave left left; lend lent lent; let let let;
lie lay lain; light lit lit; lose lost lost; make made made; mean meant meant; meet met met;
mistake mistook mistaken; overcome overcame overcome; oversee oversaw overseen;
pay paid paid; prove proved proven; override overrode overridden;
put put put; quit quit quit; read read read; ride rode ridden; ring rang rung; rise rose risen; run ran run;
say said said; see saw seen; seek sought sought; sell sold sold; send sent sent; set set set; sew sewed sewn;
shake shook shaken; shed shed shed; shine shone shone; shoot shot shot; show showed shown; shrink shrank shrunk;
shut shut shut; sing sang sung; sink sank sunk; sit sat sat; sleep slept slept; slide slid slid; speak spoke spoken;
spend spent spent; spin spun spun; split split split; spread spread spread; spring sprang sprung; stand stood stood;
steal stole stolen; stick stuck stuck; strike struck struck; strive strove striven; swear swore sworn;
sweep swept swept; swim swam swum; swing swung swung; take took taken; teach taught taught; tear tore torn;
tell told told; think thought thought; throw threw thrown; undergo underwent undergone;
understand understood understood; undertake undertook undertaken; uphold upheld upheld; wake woke woken;
wear wore worn; weave wove woven; win won won; wind wound wound; withdraw withdrew withdrawn; write wrote written;
rewrite rewrote rewritten;
rebuild rebuilt rebuilt; overtake overtook overtaken; withstand withstood withstood
"""
_ROWS = [tuple(row.split()) for row in _IRREGULAR.split(";")]
_FROM_BASE = {row[0]: row[1] for row in _ROWS}
_FROM_PARTICIPLE = {row[2]: row[1] for row in _ROWS}
_BASES = {form: row[0] for row in reversed(_ROWS) for form in row}
_PREFIXES = ("re", "over", "under", "out", "un", "mis", "fore")
_DOUBLING = re.compile(r"(?:[^aeiou]|^)[aeiou][bdgklmnprt]$")
_SYLLABLES = re.compile(r"[aeiouy]+")
_STRESSED_LAST = ("mit", "fer", "cur", "pel", "bel", "rol", "get", "bar", "vet", "quip", "ban", "plan")
_STRESSED_FIRST = frozenset(("limit", "delimit", "vomit", "target", "budget", "market", "differ", "suffer", "offer"))
_THIRD_PERSON = re.compile(r"[^uis]s$")
_HAVE = frozenset(("have", "has", "had", "having", "'ve"))


def past_tense(verb: str, tag: str) -> str:
    """The past tense of a verb in the form that its Penn tag names; "have" in all its forms gives "has".

    Where the tag denies the third person that the letters show ("invests" as VB), the letters are believed.
    """
    word = verb.lower()
    if word in _HAVE:
        return "has"
    if tag == "VBD":
        return word
    if tag == "VBN":
        return _FROM_PARTICIPLE.get(word, word)
    return _past_of(_base(word, tag))


def _base(word: str, tag: str) -> str:
    if tag == "VBZ" or (tag in ("VB", "VBP") and _THIRD_PERSON.search(word)):
        return _without_s(word)
    if tag == "VBG" and word.endswith("ing"):
        return _without_ing(word[:-3])
    return word


def _without_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return word[:-2]
    return word.removesuffix("s")


def _without_ing(stem: str) -> str:
    """ "writ" -> "write", "stopp" -> "stopp": past tenses are told by the letters before "ing"."""
    if f"{stem}e" in _FROM_BASE:
        return f"{stem}e"
    if stem.endswith("y") and stem[:-1] + "ie" in _FROM_BASE:
        return f"{stem[:-1]}ie"
    return stem[:-1] if stem[-1:] == stem[-2:-1] and stem[:-1] in _FROM_BASE else stem


def _past_of(base: str) -> str:
    if base in _FROM_BASE:
        return _FROM_BASE[base]
    if base.endswith("e"):
        return f"{base}d"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ied"
    if base.endswith("ic"):
        return f"{base}ked"
    one_syllable = len(_SYLLABLES.findall(base)) == 1
    doubles = _DOUBLING.search(base) and (one_syllable or base.endswith(_STRESSED_LAST)) and base not in _STRESSED_FIRST
    return f"{base}{base[-1]}ed" if doubles else f"{base}ed"


def base_of(word: str) -> str:
    """The base form of an irregular verb in any of its forms, "resell" of "resold" too; other words as they are."""
    if word in _BASES:
        return _BASES[word]
    prefix = next((prefix for prefix in _PREFIXES if word.startswith(prefix)), "")
    rest = word.removeprefix(prefix)
    return f"{prefix}{_BASES[rest]}" if prefix and rest in _BASES else word
