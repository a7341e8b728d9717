"""The same word gives the same token, however it is written, in each language."""

from __future__ import annotations

import pytest

from pincite.printing import printable, printed_name
from pincite.retrieve.query import compound_parts
from pincite.text.language import detect_language
from pincite.text.tokens import folded_words, tokenise, tokenise_for


def test_numbers_have_one_spelling() -> None:
    assert tokenise("0,4", "en") == tokenise("0.4", "en") == ["0.4"]
    assert tokenise("1 500 m", "en")[0] == tokenise("1,500 m", "en")[0] == tokenise("1500 m", "en")[0] == "1500"
    assert tokenise("5.3.2", "en") == ["5.3.2"]


def test_a_code_is_a_token_as_a_whole_and_by_what_it_begins_with() -> None:
    assert tokenise("S275JR", "en") == ["s275jr", "s275"]
    assert tokenise("steel of S275", "en") == ["steel", "s275"]


def test_an_option_is_another_token_than_its_letter() -> None:
    assert tokenise("-B", "en") == tokenise("(-b)", "en") == tokenise("\u2013b", "en") == ["-b"]
    assert tokenise("option B of well-known A-B", "en") == ["option", "b", "well", "known", "a", "b"]
    assert tokenise("--drain-first", "en") == ["-drain-first", "drain", "first"]


def test_word_forms_meet_in_their_stem() -> None:
    assert tokenise("loads loading loaded", "en") == ["load"] * 3
    assert tokenise("Lasten", "de") == tokenise("Last", "de")


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("The colours of neighbouring fibres", "the colors of neighboring fibers"),
        ("a licence to organise theatres", "a license to organize theaters"),
        ("analysed and labelled in metres", "analyzed and labeled in meters"),
        ("programmes, catalogues and sulphur", "programs, catalogs and sulfur"),
    ],
)
def test_british_and_american_spellings_meet(british: str, american: str) -> None:
    assert tokenise(british, "en") == tokenise(american, "en")


@pytest.mark.parametrize(
    "forms", ["precise precisely precision", "advertise advertisement", "fill filling", "hour hours"]
)
def test_words_that_have_one_spelling_keep_their_stem(forms: str) -> None:
    assert len(set(tokenise(forms, "en"))) == 1


def test_words_of_a_language_that_cannot_be_told_are_stemmed_as_english_ones() -> None:
    assert tokenise("Visitors, adults", None) == tokenise("visitor adult", None)


def test_words_can_be_had_unstemmed() -> None:
    assert folded_words("Wo steht die KAFFEETASSE 12?") == ["wo", "steht", "die", "kaffeetasse"]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("he", "דבורה הדבורה והדבורה בדבורה דבורים"),
        ("he", "מסילה המסילה במסילות"),
        ("el", "μέλισσα μέλισσες μέλισσας"),
        ("ar", "الجسر جسر والجسر"),
        ("ar", "كَتَبَ كتب"),
    ],
)
def test_word_forms_meet_in_languages_of_other_scripts(language: str, forms: str) -> None:
    assert len(set(tokenise(forms, language))) == 1


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [("el", "Τι είναι της πόλης", 1), ("ar", "ما هو القمر", 1), ("he", "מהו הירח של כדור", 2)],
)
def test_function_words_of_other_scripts_are_left_out(language: str, text: str, left: int) -> None:
    assert len(tokenise(text, language)) == left


def test_no_word_is_stemmed_to_nothing() -> None:
    assert tokenise("το ίδιο έργο", "el") == ["ίδιο", "εργ"]


def test_function_words_are_left_out() -> None:
    assert tokenise("the load of the roof", "en") == ["load", "roof"]


def test_scripts_without_spaces_give_bigrams() -> None:
    assert tokenise("防火墙", "zh") == ["防火", "火墙"]
    assert tokenise("ที่นี่ A・ー", "th") == ["ที", "ี่", "่น", "นี", "ี่", "a", "・ー"]


def test_function_words_of_the_question_are_none_in_any_language() -> None:
    tokens = tokenise_for("What is the date of the film?", ["en", "de", "es", None])
    assert {"date", "film"} <= set(tokens)
    assert not {"what", "is", "the", "of"} & set(tokens)


def test_a_short_english_text_is_english() -> None:
    assert detect_language("Khamsa is a 2008 film.") == "en"
    assert detect_language("She was a Spanish writer, a poet and a friend of a king.") == "en"


def test_a_question_is_tokenised_for_each_language_of_the_store() -> None:
    assert set(tokenise("loading Lasten", "en")) | set(tokenise("loading Lasten", "de")) == set(
        tokenise_for("loading Lasten", ["en", "de", "en"])
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The load on the roof shall be determined by the designer of the building.", "en"),
        ("Die Last auf dem Dach ist von dem Planer zu bestimmen und wird in der Norm geregelt.", "de"),
        ("La charge sur le toit est déterminée par les règles de la norme.", "fr"),
        ("La carga sobre el techo se determina por las reglas de la norma.", "es"),
        ("Obciążenie dachu jest określone w normie i nie może być większe niż w tabeli.", "pl"),
        ("Нагрузка на крышу определяется по правилам, которые есть в норме.", "ru"),
        ("Το φορτίο στη στέγη καθορίζεται από τον κανονισμό.", "el"),
        ("الحمل على السطح محدد في المعيار", "ar"),
        ("העומס על הגג נקבע בתקן", "he"),
        ("屋顶上的荷载由规范确定。", "zh"),
        ("屋根の荷重は規格によって決まります。", "ja"),
        ("지붕의 하중은 기준에 따라 결정된다.", "ko"),
        ("12 34 56", None),
    ],
)
def test_the_language_of_a_text_is_found(text: str, language: str | None) -> None:
    assert detect_language(text) == language


def test_a_file_name_cannot_pass_for_a_citation_or_steer_a_terminal() -> None:
    assert printed_name("snow, p.3).txt") == '"snow, p.3).txt"'
    assert printed_name("a\nb\u202etxt") == "a\\x0ab\\u202etxt"
    assert printable("red \x1b[31m") == "red \\x1b[31m"


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("mondumlauf", ("mond", "umlauf")),
        ("schwarztee", ("schwarz", "tee")),
        ("lieblingstee", ("liebling", "tee")),
        ("springflut", ("flut",)),
        ("gebirgsbach", ()),
        ("tee", ()),
    ],
)
def test_a_compound_is_its_known_parts(word: str, parts: tuple[str, ...]) -> None:
    known = {"mond", "umlauf", "schwarz", "tee", "liebling", "flut"}
    assert compound_parts(word, lambda part: part if part in known else None) == parts
