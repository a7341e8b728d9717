"""1. A reference is right where it leads to a place that the gold names. 2. Ambiguous is not found; dangling and
external are right for what lies outside. 3. On pages, figures go by what is pointed at; what has no row is listed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.evaluate.references import (
    Found,
    JoinedText,
    Judge,
    Measured,
    corpus_gold,
    evaluate_references,
    find_marked,
    mistakes,
    page_gold,
    score_corpus,
    score_pages,
)
from pincite.evaluate.retrieval import BeirSet, load_set
from pincite.records.outlines import Reference, ReferenceLink, ReferenceStatus, Target
from pincite.records.pages import Page
from pincite.settings import Settings

ROWS = ("1 Scope", "2 Loads", "Rule 2.1 is subject to Rules 1 and 3.", "Whatever the Act says, see section 9.")
SECTIONS = ("1", "2.", "2.1", "3.")


class MadeUpDocuments:
    """References as a test wrote them down."""

    def __init__(self, found: Mapping[str, Sequence[Found]]) -> None:
        self._found = found

    def references(self, source_id: str) -> Sequence[Found]:
        return self._found.get(source_id, ())


def found_in(
    source_id: str, text: str, words: str, status: ReferenceStatus, *targets: tuple[str, int], number: str | None = None
) -> Found:
    """The reference `words` in a document's joined text; targets are offsets in joined texts."""
    start = text.index(words)
    reference = Reference(start, "see", start, start + len(words), words, number=number)
    places = tuple(Target(target, offset, offset + 1) for target, offset in targets)
    return reference, ReferenceLink(source_id, start, status, places)


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def rulebook(tmp_path: Path) -> BeirSet:
    corpus = [
        {"_id": f"r{n}", "text": text, "metadata": {"document": "Rules", "section": section}}
        for n, (text, section) in enumerate(zip(ROWS, SECTIONS, strict=True), start=1)
    ]
    write_rows(tmp_path / "corpus.jsonl", corpus)
    write_rows(tmp_path / "queries.jsonl", [{"_id": "q", "text": "?"}])
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("q\tr1\t1\n", encoding="utf-8")
    return load_set(tmp_path)


def score_rulebook(rulebook: BeirSet, folder: Path, rows: Sequence[Mapping[str, Any]], *found: Found) -> Measured:
    texts = {source.source_id: JoinedText(document.pages) for source, document in rulebook.documents}
    judge = Judge(MadeUpDocuments({"Rules": found}), texts.__getitem__)
    return score_corpus(judge, corpus_gold(write_rows(folder / "gold.jsonl", rows), rulebook), rulebook.rows)


JOINED = "\f".join(ROWS)
TO_FIRST = {"source_id": "r3", "reference_text": "1", "char_start": ROWS[2].index("1 and"), "target_id": "r1"}
TO_FOURTH = {"source_id": "r3", "reference_text": "3", "char_start": ROWS[2].index("3."), "target_id": "r4"}


def test_a_reference_is_right_where_it_leads_to_the_row_of_the_gold(rulebook: BeirSet, tmp_path: Path) -> None:
    right = found_in("Rules", JOINED, "Rules 1", "resolved", ("Rules", 0))
    wrong = found_in("Rules", JOINED, "3", "resolved", ("Rules", JOINED.index("2 Loads")))
    measured = score_rulebook(rulebook, tmp_path, [TO_FIRST, TO_FOURTH], right, wrong)
    assert measured.tally.means() == {"recall": 0.5, "precision": 0.5}
    assert measured.derived["f1"] == 0.5
    assert measured.rows[1] == {
        "id": "r3: 3",
        "right": False,
        "gold": {"status": "resolved", "led_to": ["r4"], "text": "3"},
        "answer": {"status": "resolved", "led_to": ["r2"], "text": "3"},
    }


def test_what_is_missed_or_ambiguous_lowers_recall_alone(rulebook: BeirSet, tmp_path: Path) -> None:
    right = found_in("Rules", JOINED, "Rules 1", "resolved", ("Rules", 0))
    ambiguous = found_in("Rules", JOINED, "3", "ambiguous", ("Rules", 0), ("Rules", JOINED.index("Whatever")))
    for found in ([right], [right, ambiguous]):
        measured = score_rulebook(rulebook, tmp_path, [TO_FIRST, TO_FOURTH], *found)
        assert measured.tally.means() == {"recall": 0.5, "precision": 1.0}


@pytest.mark.parametrize(("status", "recall"), [("external", 1.0), ("dangling", 1.0), ("resolved", 0.0)])
def test_what_lies_outside_is_right_where_it_leads_nowhere(
    rulebook: BeirSet, tmp_path: Path, status: ReferenceStatus, recall: float
) -> None:
    row = {"source_id": "r4", "reference_text": "9", "char_start": ROWS[3].index("9."), "target_id": None}
    found = found_in("Rules", JOINED, "section 9", status, *([("Rules", 0)] if status == "resolved" else []))
    assert score_rulebook(rulebook, tmp_path, [row], found).tally.means()["recall"] == recall


def test_any_row_inside_a_section_without_text_of_its_own_is_right(rulebook: BeirSet, tmp_path: Path) -> None:
    row = TO_FIRST | {"target_id": "r1", "target_resolution": "first_child", "target_section": "2."}
    found = found_in("Rules", JOINED, "Rules 1", "resolved", ("Rules", JOINED.index("Rule 2.1")))
    assert score_rulebook(rulebook, tmp_path, [row], found).tally.means()["recall"] == 1.0


def test_a_reference_that_is_not_there_word_for_word_is_found_by_its_number(rulebook: BeirSet, tmp_path: Path) -> None:
    row = {"source_id": "r4", "reference_text": "9(1)", "char_start": None, "target_id": "r1"}
    found = found_in("Rules", JOINED, "section 9", "resolved", ("Rules", 0), number="9 (1)")
    assert score_rulebook(rulebook, tmp_path, [row], found).tally.means()["recall"] == 1.0


def test_doubtful_rows_and_rows_of_other_sets_are_left_out(rulebook: BeirSet, tmp_path: Path) -> None:
    rows = [TO_FIRST | {"doubtful": "the text is in the corpus"}, TO_FIRST | {"source_id": "elsewhere"}, TO_FOURTH]
    assert score_rulebook(rulebook, tmp_path, rows).counts == {"references": 1}


def test_a_gold_row_without_its_fields_is_wrong_use(rulebook: BeirSet, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"row 1 has no reference_text"):
        score_rulebook(rulebook, tmp_path, [{"source_id": "r3"}])


# --- pages of files ----------------------------------------------------------------------------------------

SNOW = ("Loads, see  Table\n5.1 and\nEN 1990.\nTable 5.1", "Table 5.1 Values", "Figure 5.1 stands here, see 5.2.")
SNOW_TEXT = "\f".join(SNOW)


def gold_row(marked: str, status: str, page: int, target: int | None, kind: str) -> dict[str, Any]:
    text = marked[marked.index("⟦") + 1 : marked.index("⟧")]
    target_file = None if target is None else "snow.pdf"
    row = {"file": "snow.pdf", "page": page, "reference_text": text, "text": marked, "status": status}
    return row | {"target_file": target_file, "target_page": target, "target_kind": kind}


SNOW_GOLD = (
    gold_row("Loads, see ⟦Table 5.1⟧ and", "resolved", 1, 2, "table"),
    gold_row("5.1 and ⟦EN 1990⟧.", "external", 1, None, "document"),
    gold_row("EN 1990. ⟦Table 5.1⟧", "none", 1, None, "table"),
    gold_row("stands here, see ⟦5.2⟧.", "resolved", 3, 1, "section"),
)


def score_snow(tmp_path: Path, *found: Found, gold: Sequence[Mapping[str, Any]] = SNOW_GOLD) -> Measured:
    text = JoinedText(Page(number, page) for number, page in enumerate(SNOW, start=1))
    rows = page_gold(write_rows(tmp_path / "gold.jsonl", gold), ["part/snow.pdf"], lambda _: text)
    return score_pages(Judge(MadeUpDocuments({"part/snow.pdf": found}), lambda _: text), rows)


def test_pages_are_measured_by_kind_of_target(tmp_path: Path) -> None:
    table = found_in("part/snow.pdf", SNOW_TEXT, "Table\n5.1", "resolved", ("part/snow.pdf", len(SNOW[0]) + 1))
    section = found_in("part/snow.pdf", SNOW_TEXT, "5.2", "resolved", ("part/snow.pdf", len(SNOW[0]) + 1))
    standard = found_in("part/snow.pdf", SNOW_TEXT, "EN 1990", "external")
    means = score_snow(tmp_path, table, section, standard).tally.means()
    assert means["resolved_precision"] == 0.5
    assert means["resolved_rate"] == 1.0
    assert means["table_resolved_precision"] == means["table_resolved_rate"] == 1.0
    assert means["section_resolved_precision"] == 0.0
    assert means["right"] == 0.75
    assert "document_resolved_rate" not in means


def test_a_caption_that_leads_somewhere_is_wrong(tmp_path: Path) -> None:
    caption = found_in("part/snow.pdf", SNOW_TEXT, "Table 5.1", "resolved", ("part/snow.pdf", 0))
    measured = score_snow(tmp_path, caption, gold=SNOW_GOLD[2:3])
    assert measured.tally.means()["resolved_precision"] == 0.0


def test_what_leads_somewhere_and_has_no_row_is_listed(tmp_path: Path) -> None:
    extra = found_in("part/snow.pdf", SNOW_TEXT, "Figure 5.1", "resolved", ("part/snow.pdf", 0))
    measured = score_snow(tmp_path, extra)
    assert measured.counts["resolved ones without gold"] == 1
    assert measured.rows[-1]["id"] == "part/snow.pdf, p.3"
    assert measured.rows[-1]["answer"]["led_to"] == ["part/snow.pdf, p.1"]


def test_of_two_references_at_one_place_the_one_that_shares_most_counts(tmp_path: Path) -> None:
    wide = found_in("part/snow.pdf", SNOW_TEXT, "stands here, see 5.2", "resolved", ("part/snow.pdf", len(SNOW[0]) + 1))
    exact = found_in("part/snow.pdf", SNOW_TEXT, "5.2", "resolved", ("part/snow.pdf", 0))
    assert score_snow(tmp_path, wide, exact, gold=SNOW_GOLD[3:]).tally.means()["right"] == 1.0


def test_of_a_place_and_what_it_lies_in_the_place_counts(tmp_path: Path) -> None:
    part = found_in("part/snow.pdf", SNOW_TEXT, "5.1", "resolved", ("part/snow.pdf", len(SNOW[0]) + 1))
    whole = found_in("part/snow.pdf", SNOW_TEXT, "EN 1990", "external")
    inner = (replace(part[0], within=whole[0].ordinal), part[1])
    gold = [gold_row("see ⟦Table 5.1 and EN 1990⟧.", "resolved", 1, 2, "table")]
    assert score_snow(tmp_path, inner, whole, gold=gold).tally.means()["right"] == 1.0


def test_a_page_that_the_file_does_not_have_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"snow\.pdf has no page 9"):
        score_snow(tmp_path, gold=[gold_row("see ⟦5.2⟧", "resolved", 9, 1, "section")])


@pytest.mark.parametrize(
    ("text", "marked", "expected"),
    [
        ("as in\n 5.2 (3)P here; 5.2(3)P", "here; ⟦5.2(3)P⟧", "5.2(3)P"),
        ("heading 4.1 words of another column see Table\n4.1", "words see ⟦Table 4.1⟧", "Table\n4.1"),
        ("nothing", "see ⟦Table 4.1⟧", None),
    ],
)
def test_a_marked_sentence_is_found_whatever_its_line_ends(text: str, marked: str, expected: str | None) -> None:
    span = find_marked(text, marked)
    assert (None if span is None else text[slice(*span)]) == expected


# --- from files to figures ---------------------------------------------------------------------------------


def test_a_corpus_is_measured_from_its_folder(rulebook: BeirSet, tmp_path: Path) -> None:
    gold = write_rows(tmp_path / "gold.jsonl", [TO_FIRST, TO_FOURTH])
    evaluation = evaluate_references(tmp_path, settings=Settings(), gold=gold)
    assert evaluation.command == "eval references"
    assert evaluation.settings["gold"] == "gold.jsonl"
    assert evaluation.counts == {"references": 2}
    assert evaluation.results["default"] == {"recall": 1.0, "precision": 1.0, "f1": 1.0}
    assert mistakes(evaluation) == []


def test_a_folder_of_documents_is_measured_from_its_files(tmp_path: Path) -> None:
    (tmp_path / "snow.md").write_text("# 1 Scope\n\nLoads are given in section 7.\n", encoding="utf-8")
    row = gold_row("given in ⟦section 7⟧.", "resolved", 1, 1, "section")
    gold = write_rows(tmp_path / "gold.jsonl", [row | {"file": "snow.md", "target_file": "snow.md"}])
    evaluation = evaluate_references(tmp_path, settings=Settings(), gold=gold)
    assert evaluation.results["default"]["resolved_rate"] == 0.0
    (line,) = mistakes(evaluation)
    assert line.startswith("snow.md, p.1: section 7: gold 'given in ⟦section 7⟧.' resolved -> snow.md, p.1, found")


def test_a_gold_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gold\.jsonl does not exist"):
        evaluate_references(tmp_path, settings=Settings(), gold=tmp_path / "gold.jsonl")
