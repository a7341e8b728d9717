"""Who does what, to whom, and how? A verb with its subject, its objects and adjuncts; and one name for all its forms,
the past tense ("invests", "investing", "invested")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pincite.graph.trees import Tree, is_noun, is_verb

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
    """ "writ" -> "write", "stopp" -> "stopp": the past tense follows from the letters before "ing"."""
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


def is_participle(word: str) -> bool:
    """Whether a word in small letters behind a form of "be" is a past participle: "emptied", "held", "broken"."""
    return word.endswith(("ed", "en")) or word in _FROM_PARTICIPLE


SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))
_NO_PREDICATE = frozenset(("aux", "auxpass", "amod", "compound", "prep", "prt"))
_COMPLEMENTS = frozenset("dobj attr oprd acomp ccomp xcomp prep agent dative npadvmod advcl".split())
_AUXILIARIES = frozenset(("aux", "auxpass", "neg"))
_SHARED_SUBJECT = frozenset(("xcomp", "advcl", "ccomp", "pcomp", "dep"))
_RELATIVE_PRONOUNS = frozenset(("who", "which", "that", "whom"))
_REPORTING = frozenset(
    "say says said saying tell tells told add adds added state states stated explain explains explained write wrote "
    "note notes noted believe believes believed think thinks thought report reported argue argues argued claim claims "
    "claimed announce announced suggest suggested predict predicted warn warned recall recalled insist insisted".split()
)
Piece = int | str


class Subject(NamedTuple):
    """The head of a subject, and by which bond it belongs to the verb: `own`, or where it was inherited from."""

    head: int
    bond: str


class Oblique(NamedTuple):
    """A preposition with the head of its noun; `further` is the second one of "out of"."""

    preposition: int
    further: int | None
    noun: int

    @property
    def words(self) -> tuple[int, ...]:
        """The preposition as it stands in the relation; none for an indirect object."""
        if self.preposition == self.noun:
            return ()
        return (self.preposition,) if self.further is None else (self.preposition, self.further)


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb, the last one of its chain ("take" in "is trying to take"), and the words that depend on them."""

    verb: int
    last: int
    subject: Subject
    relation: tuple[Piece, ...]
    objects: tuple[int, ...]
    attributes: tuple[int, ...]
    adjectives: tuple[int, ...]
    contents: tuple[int, ...]
    obliques: tuple[Oblique, ...]
    adverbials: tuple[int, ...]
    circumstances: tuple[int, ...]


def find_clauses(tree: Tree) -> Iterator[Clause]:
    """The clauses of a sentence that have a subject, in order of their verbs."""
    for verb in range(len(tree.words)):
        if is_verb(tree, verb) and tree.relations[verb] not in _NO_PREDICATE:
            subject = find_subject(tree, verb)
            continues_another = tree.relations[verb] == "xcomp" and (subject is None or subject.bond != "object")
            if subject is not None and not continues_another:
                yield _clause(tree, verb, subject)


def find_subject(tree: Tree, verb: int, seen: tuple[int, ...] = ()) -> Subject | None:
    """The subject of a verb: its own, the antecedent of its relative pronoun, or that of the verb it depends on."""
    if verb in seen or tree.dependent(verb, ("expl",)) is not None:
        return None
    own = tree.dependent(verb, SUBJECTS)
    if own is not None:
        return _own_subject(tree, verb, own)
    above, relation = tree.heads[verb], tree.relations[verb]
    if relation in ("acl", "relcl"):
        return Subject(_bearer_of(tree, above), relation)
    if relation == "conj" and is_verb(tree, above):
        return _inherited(find_subject(tree, above, (*seen, verb)), "conj")
    if relation in _SHARED_SUBJECT:
        return _shared_subject(tree, verb, (*seen, verb))
    return None


def verb_group(tree: Tree, verb: int) -> tuple[int, ...]:
    """The verb with auxiliaries, negation, particle and the adverbs among them."""
    children = tree.children[verb]
    before = [word for word in children if word < verb and tree.relations[word] in _AUXILIARIES]
    first = min([verb, *before])
    adverbs = [
        word
        for word in children
        if first - 1 <= word < verb and tree.relations[word] == "advmod" and not tree.children[word]
        if tree.tags[word].startswith("RB")
    ]
    after = [word for word in children if word > verb and tree.relations[word] in ("neg", "prt")]
    return tuple(sorted([verb, *before, *adverbs, *after]))


def _clause(tree: Tree, verb: int, subject: Subject) -> Clause:
    chain, last = _verb_chain(tree, verb)
    relation = (*_borrowed_auxiliaries(tree, verb, subject), *verb_group(tree, verb), *chain)
    bearer = _bearer(tree, last)
    below = [word for each in dict.fromkeys((verb, last, bearer)) for word in tree.children[each]]
    if any(word > bearer and tree.relations[word] == "prep" and not tree.children[word] for word in below):
        below = [word for word in below if word > subject.head or tree.relations[word] != "prep"]
    return Clause(
        verb=verb,
        last=bearer,
        subject=subject,
        relation=relation,
        objects=_objects(tree, verb, bearer, subject),
        attributes=tuple(tree.dependents(last, ("attr", "oprd"))),
        adjectives=tuple(tree.dependents(last, ("acomp",))),
        contents=tuple(
            word for word in tree.dependents(last, ("ccomp",)) if word > last or tree.lower(last) in _REPORTING
        ),
        obliques=tuple(oblique for word in below if (oblique := _oblique(tree, word)) is not None),
        adverbials=tuple(
            word
            for word in below
            if tree.relations[word] in ("npadvmod", "advmod") and word not in relation and tree.tags[word] != "WRB"
        ),
        circumstances=tuple(word for word in below if tree.relations[word] == "advcl" and word > last),
    )


def _bearer(tree: Tree, verb: int) -> int:
    """The verb that bears the objects of `verb`: "written" of "directed, produced and written by Ann"."""
    bearer = verb
    while not any(tree.relations[word] in _COMPLEMENTS for word in tree.children[bearer]):
        joined = tree.dependent(bearer, ("conj",))
        if joined is None or not _shares(tree, bearer, joined):
            return verb
        bearer = joined
    return bearer


def _shares(tree: Tree, verb: int, joined: int) -> bool:
    """Only "and", or for participles a comma, stands between two verbs of one form."""
    between = [tree.lower(word) for word in range(verb + 1, joined)]
    enough = tree.tags[verb] == "VBN" or bool({"and", "or"}.intersection(between))
    return tree.tags[verb] == tree.tags[joined] and enough and set(between) <= {"and", "or", ","}


def _own_subject(tree: Tree, verb: int, own: int) -> Subject | None:
    if tree.lower(own) not in _RELATIVE_PRONOUNS or tree.tags[own] not in ("WDT", "WP", "IN", "DT"):
        return Subject(own, "own")
    top = verb
    while tree.relations[top] in ("conj", "ccomp", "xcomp"):
        top = tree.heads[top]
    if tree.relations[top] == "relcl":
        return Subject(_bearer_of(tree, tree.heads[top]), "relcl")
    return None if tree.tags[own] in ("WDT", "WP") else Subject(own, "own")


def _bearer_of(tree: Tree, description: int) -> int:
    """ "Becoming" of "Becoming is a book written by": the noun that a clause describes further."""
    relation, above = tree.relations[description], tree.heads[description]
    if relation == "appos":
        return above
    subject = tree.dependent(above, SUBJECTS) if relation == "attr" else None
    return description if subject is None else subject


def _shared_subject(tree: Tree, verb: int, seen: tuple[int, ...]) -> Subject | None:
    relation, above = tree.relations[verb], tree.heads[verb]
    while relation == "pcomp" and tree.relations[above] in ("prep", "agent"):
        above = tree.heads[above]
    if not is_verb(tree, above) or above == verb:
        return None
    target = tree.dependent(above, ("dobj", "dative"))
    if relation in ("xcomp", "ccomp") and target is not None and target < verb:
        return Subject(target, "object")
    return _inherited(find_subject(tree, above, seen), relation)


def _inherited(subject: Subject | None, bond: str) -> Subject | None:
    return Subject(subject.head, bond) if subject is not None and subject.bond == "own" else subject


def _verb_chain(tree: Tree, verb: int) -> tuple[tuple[int, ...], int]:
    """ "to take" of "is trying to take": what a verb goes on with, and the verb at its end."""
    words: tuple[int, ...] = ()
    last = verb
    while True:
        following = tree.dependent(last, ("xcomp",))
        if following is None or following < last or not is_verb(tree, following):
            return words, last
        if tree.dependent(last, ("dobj",)) is not None or tree.dependent(following, SUBJECTS) is not None:
            return words, last
        words, last = (*words, *verb_group(tree, following)), following


def _borrowed_auxiliaries(tree: Tree, verb: int, subject: Subject) -> tuple[Piece, ...]:
    """ "was" for "a book written by", and the auxiliaries that joined verbs share: "was loved and exalted"."""
    if subject.bond == "acl" and tree.tags[verb] == "VBN":
        return ("was" if "VBD" in tree.tags else "is",)
    above = tree.heads[verb]
    same_form = tree.tags[verb] == tree.tags[above] and tree.tags[verb] in ("VB", "VBN", "VBG")
    if tree.relations[verb] == "conj" and same_form and not tree.dependents(verb, ("aux", "auxpass")):
        return tuple(word for word in tree.dependents(above, _AUXILIARIES) if word < above)
    return ()


def _objects(tree: Tree, verb: int, last: int, subject: Subject) -> tuple[int, ...]:
    """The direct objects; in a relative clause that has a subject, what the clause is about."""
    objects = tree.dependents(last, ("dobj",))
    if tree.relations[verb] != "relcl" or subject.bond != "own":
        return tuple(objects)
    antecedent = tree.heads[verb]
    if any(tree.tags[word] in ("WDT", "WP") or tree.lower(word) == "that" for word in objects):
        return (antecedent,)
    complete = objects or tree.dependents(last, ("ccomp", "attr", "acomp"))
    opening = tree.phrase(verb)[:3]
    has_relative_word = any(tree.tags[word] in ("WDT", "WP", "WRB") for word in opening)
    return tuple(objects) if complete or has_relative_word or tree.tags[verb] == "VBN" else (antecedent,)


def _oblique(tree: Tree, word: int) -> Oblique | None:
    relation = tree.relations[word]
    if relation == "dative" and is_noun(tree, word):
        return Oblique(word, None, word)
    if relation not in ("prep", "agent", "dative"):
        return None
    noun = tree.dependent(word, ("pobj", "pcomp"))
    if noun is not None:
        return Oblique(word, None, noun)
    further = tree.dependent(word, ("prep",))
    noun = None if further is None else tree.dependent(further, ("pobj",))
    return None if noun is None else Oblique(word, further, noun)
