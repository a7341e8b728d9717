"""What is masked where redaction is asked for, and what only looks like it and stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.own_patterns import checked_pattern
from pincite.text.personal import KIND_NAMES, MASK, apart, find_again, find_personal, masked, searched_for, values_of

ALL = searched_for(tuple(KIND_NAMES), ())
# The published test numbers of the issuers, and IBANs and ids from the registries' own examples.
PERSONAL = [
    ("email", "Write to jane.doe@example.org.", "jane.doe@example.org"),
    ("email", "From: Jane <j+doe@mail.example.co.uk>", "j+doe@mail.example.co.uk"),
    ("email", "an address jane@exam-\nple.org over two lines", "jane@exam-\nple.org"),
    ("email", "mailto:müller@example.de?subject=hi", "müller@example.de"),
    ("phone", "Call +49 (0)30 901820 today", "+49 (0)30 901820"),
    ("phone", "ring +1 212 555 0123.", "+1 212 555 0123"),
    ("phone", "Tel.: 030/1234567", "030/1234567"),
    ("phone", "Telefon: 089 1234-56", "089 1234-56"),
    ("phone", "Phone number is 555 0123 44, room 4", "555 0123 44"),
    ("phone", "office (212) 555-0123", "(212) 555-0123"),
    ("phone", "Fax\n030 7654321", "030 7654321"),
    ("phone", "telephone: +41 (0)41 \n619 67 74; see", "+41 (0)41 \n619 67 74"),
    ("phone", "phone and fax: 206–231– \n3500; see", "206–231– \n3500"),
    ("phone", "telephone: (816) \n329–4059; see", "(816) \n329–4059"),
    ("phone", "IDTHEFT 1-877-438-4338.", "1-877-438-4338"),
    ("phone", "IDTHEFT (1-877-438-4338).", "(1-877-438-4338"),
    ("phone", "telephone 030 1234567\n2024 was", "030 1234567"),
    ("card", "charged to 4111 1111 1111 1111 12/27", "4111 1111 1111 1111"),
    ("card", "card 5555-5555-5555-4444;", "5555-5555-5555-4444"),
    ("card", "3782 822463 10005 is an Amex", "3782 822463 10005"),
    ("card", "id=4012888888881881", "4012888888881881"),
    ("iban", "IBAN DE89 3704 0044 0532 0130 00, BIC", "DE89 3704 0044 0532 0130 00"),
    ("iban", "pay GB29NWBK60161331926819 now", "GB29NWBK60161331926819"),
    ("iban", "FR14 2004 1010 0505\n0001 3M02 606", "FR14 2004 1010 0505\n0001 3M02 606"),
    ("national_id", "SSN 123-45-6789", "123-45-6789"),
    ("national_id", "the man (219-09-9999) signed", "219-09-9999"),
    ("national_id", "NI AB 12 34 56 C", "AB 12 34 56 C"),
    ("national_id", "codice fiscale RSSMRA85T10A562S", "RSSMRA85T10A562S"),
    ("national_id", "née 2 69 05 49 588 157 80", "2 69 05 49 588 157 80"),
    ("national_id", "AHV 756.9217.0769.85", "756.9217.0769.85"),
    ("national_id", "Steuer-ID: 86095742719", "86095742719"),
    ("national_id", "Passport No. C01X00T47", "C01X00T47"),
    ("national_id", "CPF 529.982.247-25", "529.982.247-25"),
]
LOOK_ALIKES = [
    "EN 1992-1-1:2004 and ISO/IEC 27001:2013, 9.2.1",
    "on 12.05.2024, 2024-05-12 and 05/12/2024 at 10:30",
    "ISBN 978-3-16-148410-0, ISSN 0317-8471, EAN 4006381333931",
    "EUR 1 234 567.89, $12,345,678.00 and +12 500 000 EUR",
    "version 10.0.19045.3803, pip 23.2.1, numpy@1.26.4",
    "sections 5.2.3.4, 7.1.12 and Table 4.1",
    "2010 2011 2012 2013 2014 2015",
    "4000 5100 5200 6011 4300 5400",
    "values 4111 1111 1111 1111 1111 1111 of a row",
    "order 4111111111111112 (a digit is wrong)",
    "IBAN DE88 3704 0044 0532 0130 00 (the check fails)",
    "DOI 10.1016/j.cell.2020.01.001, arXiv:2005.11401",
    "+3.1415926535 and -12 345 678, +/-5 000 000",
    "coordinates 52.5200066, 13.404954",
    "@jane wrote; a @ b; list @ 5.30",
    "Directive 2004/39/EC, 2014/65/EU; Regulation (EU) No 648/2012",
    "CAS 7732-18-5, part 12345678A, 978 20 5 pieces",
    "sha 4f2a6011000990139424bb, 0x4012888888881881aa",
    "telescope 1234567 and cell 12345678",
    "Tel. see 12.05.2024",
    "100-20-2004 and NACA 123-45-6789-01",
    "temperatures of 1200 1300 1400 1500",
    "Table 12 345-678-9012-3",
    "BMF in valid SSN\n1 19-20 MFT (required)",
]


def told(text: str) -> list[tuple[str, str]]:
    """Kinds and words of what is found."""
    return [(place.kind, text[place.start : place.end]) for place in find_personal(text, ALL)]


@pytest.mark.parametrize(("kind", "text", "value"), PERSONAL)
def test_what_tells_of_a_person_is_found_with_its_kind(kind: str, text: str, value: str) -> None:
    assert told(text) == [(kind, value)]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_it_is_left(text: str) -> None:
    assert told(text) == []


def test_the_head_of_a_column_announces_what_stands_in_it() -> None:
    assert find_personal("030 1234567", ALL) == []
    assert [place.kind for place in find_personal("030 1234567", ALL, "Telephone")] == ["phone"]
    assert [place.kind for place in find_personal("C01X00T47", ALL, "passport_no")] == ["national_id"]
    assert find_personal("12.05.2024", ALL, "Telephone") == []


def test_several_numbers_may_follow_one_announcement() -> None:
    assert [value for _, value in told("Tel. 030 123456, 030 654321 or 030 111213")] == [
        "030 123456",
        "030 654321",
        "030 111213",
    ]


def test_only_the_kinds_that_are_asked_for_are_found() -> None:
    text = "jane@example.org, card 4111111111111111"
    assert [place.kind for place in find_personal(text, searched_for(["card"], ()))] == ["card"]


@pytest.mark.parametrize(
    ("first", "again"),
    [("Tel. 030 901820", "030-901820"), ("+49 30 901820", "(030) 90 18 20"), ("SSN 123456789", "123 45 6789")],
)
def test_a_value_that_was_announced_once_is_found_where_it_is_not(first: str, again: str) -> None:
    known = {value: place.kind for place in find_personal(first, ALL) for value in values_of(first, place)}
    text = f"the number {again} again, not {again}77"
    assert text[slice(*next(find_again(text, known))[:2])].strip("()") in again
    assert len(list(find_again(text, known))) == 1


def test_own_patterns_are_found_by_their_names() -> None:
    searched = searched_for((), [("customer", r"\bK-\d{5}\b")])
    assert [tuple(place) for place in find_personal("of K-12345 and K-123456", searched)] == [(3, 10, "customer")]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a+)+b", "how often"),
        (".*", "how often"),
        (r"(a)\1", "place 4"),
        ("(?=a)b", "place"),
        (r"\d{1,99}\d{1,99}\d{1,99}", "ways"),
        ("(a?){60}", "ways"),
        ("(a|b", "does not close"),
        ("a)", "not open"),
        ("a?", "nothing stands"),
        ("[z-a]", "no regular expression"),
        ("a" * 501, "longer"),
    ],
)
def test_patterns_that_could_be_slow_are_refused_with_a_reason(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        checked_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\bK-\d{5}\b", r"(?i)project (?:falcon|eagle)", r"[A-Z]{2}\d{4,8}", "Ada Lovelace"]
)
def test_patterns_that_say_how_often_are_taken(pattern: str) -> None:
    assert checked_pattern(pattern).pattern == pattern.removeprefix("(?i)")


PIECES = st.sampled_from(
    [
        *(text for _, text, _ in PERSONAL),
        *LOOK_ALIKES,
        "@",
        "+",
        "0",
        "4111",
        " ",
        "\n",
        "-",
        "(",
        "Tel. ",
        "é",
        "\U0001f600",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_masking_keeps_the_length_and_all_that_is_not_masked(text: str) -> None:
    places = find_personal(text, ALL)
    hidden = masked(text, places)
    assert len(hidden) == len(text)
    assert all(before.end <= after.start for before, after in pairwise(places))
    assert all(0 <= place.start < place.end <= len(text) for place in places)
    covered = {at for place in places for at in range(place.start, place.end)}
    assert all(hidden[at] == (sign if at not in covered or sign == "\n" else MASK) for at, sign in enumerate(text))
    assert apart(places) == places


@given(st.text(alphabet="09+-.( )@aA\n%/,4:", max_size=200))
def test_any_text_can_be_looked_through(text: str) -> None:
    assert len(masked(text, find_personal(text, ALL))) == len(text)
