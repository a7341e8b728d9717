"""What a question asks for, and what sentences name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.asked.question import asked_quantity, understand
from pincite.answer.words.facts import country_words, dates_in, has_value, names_in, without_aside
from pincite.answer.words.vocabulary import root
from pincite.retrieve.named import named_sources
from pincite.retrieve.query import parse_query
from pincite.text.tokens import tokenise


def asked(question: str) -> object:
    return understand(parse_query(question, ["en"]))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was Anna Berg born?", "date"),
        ("Where did she die?", "place"),
        ("Who wrote it?", "person"),
        ("How many stores are there?", "number"),
        ("What is the recommended value of the factor?", "value"),
        ("Which exposure coefficient is recommended?", "value"),
        ("What nationality is he?", "country"),
        ("What colour is the sky?", "any"),
        ("What buffer is needed where homes are late?", "any"),
    ],
)
def test_the_kind_of_thing_that_answers(question: str, expected: str) -> None:
    assert understand(parse_query(question, ["en"])).expected == expected


@pytest.mark.parametrize(
    ("question", "quantity"),
    [
        ("What partial factor should I apply to the snow load?", "partial factor"),
        ("What is the axle load of a forklift?", "axle load"),
        ("What is the minimum width of a parking bay in Lund?", "width of a parking bay"),
        ("What is the maximum size in metres of a parking bay?", "size in metres of a parking bay"),
        ("What is the largest size of a sack before it is split?", "size of a sack"),
        ("What is a fire wall?", None),
        ("Which switch sets the feed rate?", None),
        ("Which other speeds can I choose?", None),
        ("Which other axle loads are allowed?", "axle loads"),
    ],
)
def test_the_quantity_whose_value_is_asked(question: str, quantity: str | None) -> None:
    assert asked_quantity(understand(parse_query(question, ["en"]))) == quantity


def test_dates_are_read_as_far_as_they_are_given() -> None:
    found = dates_in("Born on 3 May 1901, active from June 1920, died October 2, 1986; again 1999.")
    assert [(moment.year, moment.month, moment.day) for moment in found] == [
        (1901, 5, 3),
        (1920, 6, 0),
        (1986, 10, 2),
        (1999, 0, 0),
    ]


def test_adjectives_and_states_are_countries() -> None:
    assert country_words("a village in East Azerbaijan Province, Iran") == [("Iran", "Iran")]
    found = country_words("A Swedish and South Korean film shot in Texas")
    assert [country for _, country in found] == ["Sweden", "South Korea", "United States"]


def test_names_are_runs_of_capitals() -> None:
    assert names_in("written by Dillon Francis and produced in New York") == ["Dillon Francis", "New York"]
    assert without_aside("The Base (film)") == "The Base"


@pytest.mark.parametrize("text", ["0,4 kN/m2", "at least 20 %", "$ 5", "is 1,25", "up to 15 units", "30 days"])
def test_a_value_has_a_unit_a_sign_or_decimals(text: str) -> None:
    assert has_value(text)


@pytest.mark.parametrize("text", ["see 5.2(3)", "EN 1990:2002", "in Section 4", "Table 6.4 on loads", "no number"])
def test_numbers_of_clauses_and_standards_are_no_values(text: str) -> None:
    assert not has_value(text)


def test_words_of_one_family_are_one() -> None:
    def family(word: str) -> str:
        return root(tokenise(word, "en")[0])

    assert family("director") == family("directed")
    assert family("birthday") == family("born")
    assert family("performer") == family("performed")
    assert family("roof") != family("rope")


def test_documents_are_named_by_the_opening_of_their_file_names() -> None:
    files = ["3M_2018_10K.pdf", "3M_2022_10K.pdf", "BESTBUY_2023_10K.pdf", "JOHNSON_JOHNSON_2022_10K.pdf", "x.pdf"]
    assert named_sources("Did 3M spend more in 2022?", files) == ("3M_2018_10K.pdf", "3M_2022_10K.pdf")
    assert named_sources("What were Best Buy's sales?", files) == ("BESTBUY_2023_10K.pdf",)
    assert named_sources("What were Johnson & Johnson's sales?", files) == ("JOHNSON_JOHNSON_2022_10K.pdf",)
    assert named_sources("What were sales in 2022?", files) == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Can a boat be moored at night?", ()),
        ("Who keeps the keys?", ()),
        ("In May, which gates are open?", ()),
        ("STOP is printed on which button?", ()),
        ("What does the Oakwood lease say of pets?", ("oakwood-lease.pdf",)),
        ("What does CanadaGuide say of bears?", ("CanadaGuide2021.pdf",)),
    ],
)
def test_a_common_word_names_no_document_and_a_name_is_whole(question: str, named: tuple[str, ...]) -> None:
    files = ["CanadaGuide2021.pdf", "Whole_house_manual.pdf", "may.txt", "storage_policy.md", "oakwood-lease.pdf"]
    assert named_sources(question, files) == named


@pytest.mark.parametrize(
    "question",
    [
        "How many columns has a table?",
        "How to corrupt a database?",
        "SHARED is which cache mode?",
        "Multiboot has which header fields?",
        "What does Write cost?",
        "Which 10 columns are kept?",
        "What did Federal law say in 2020?",
    ],
)
def test_a_word_that_opens_a_file_name_or_is_one_names_no_document(question: str) -> None:
    files = [
        "howtocorrupt.html",
        "how-to.html",
        "sharedcache.html",
        "multiboot.html",
        "write-ahead-log.html",
        "10-b.md",
    ]
    assert named_sources(question, [*files, "columns.html", "federal-law-reports.pdf"]) == ()


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does the write-ahead log keep?", ("write_ahead_log.html",)),
        ("Which rules has the Oakwood Lease on pets?", ("oakwood-lease.pdf",)),
        ("What does the NIST SP 800-207 report require?", ("NIST.SP.800-207_scan.pdf",)),
        ("What does the Handbook of Small Gardens say?", ("b7.pdf",)),
    ],
)
def test_a_document_is_named_by_its_whole_name_its_number_or_its_title(question: str, named: tuple[str, ...]) -> None:
    files = ["write_ahead_log.html", "oakwood-lease.pdf", "NIST.SP.800-207_scan.pdf", "b7.pdf", "small.pdf"]
    titles = [("b7.pdf", "handbook of small gardens"), ("small.pdf", "pets"), ("closed.pdf", "rules on pets")]
    assert named_sources(question, files, titles) == named


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What does fixtures mean in the lease?", "fixtures"),
        ("What does force majeure mean under this contract?", "force majeure"),
        ("What do they mean by the drip edge?", "drip edge"),
        ("What does the mean value show?", "mean value show"),
        ("What is a fire wall?", "fire wall"),
    ],
)
def test_the_term_whose_meaning_is_asked(question: str, term: str) -> None:
    assert understand(parse_query(question, ["en"])).term == term


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    names_in(text), dates_in(text), country_words(text), has_value(text)
    named_sources(text, ["a.pdf", "B_2020.pdf"])
