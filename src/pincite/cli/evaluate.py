"""`pincite eval` with one command a kind of measurement (docs/design.md section 10)."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import add_mode, add_models, open_store, print_json, settings_of

if TYPE_CHECKING:
    from pincite.evaluate.report import Evaluation
    from pincite.settings import Settings

KEYS = ("keyword", "vector", "hybrid", "default")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `eval` with its sub-commands; each sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser("eval", help="measure search and answers on questions with known answers")
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    _add_retrieval(kinds.add_parser("retrieval", help="search, on a set in BEIR layout: corpus, queries, qrels"))
    _add_pages(kinds.add_parser("pages", help="a folder of documents with questions and the pages that answer them"))
    _add_answers(kinds.add_parser("answers", help="a set in BEIR layout whose questions have short answers"))
    _add_references(kinds.add_parser("references", help="references of a BEIR set or a folder, with where they lead"))
    _add_sections(kinds.add_parser("sections", help="a folder of documents whose sections and anchors are known"))
    _add_pinned(kinds.add_parser("pinned", help="approved questions asked again: what has changed"))
    _add_triplets(kinds.add_parser("triplets", help="sentences with gold tuples (CaRB) or entities (CoNLL04)"))


def run_retrieval(arguments: argparse.Namespace) -> int:
    """Measure, print the table, write the JSON."""
    from pincite.evaluate.retrieval import evaluate_retrieval

    return _finish(
        arguments,
        evaluate_retrieval(
            arguments.set,
            settings=settings_of(arguments),
            split=arguments.split,
            keys=arguments.channels,
            limit=arguments.limit,
            store=arguments.store,
        ),
    )


def run_pages(arguments: argparse.Namespace) -> int:
    """Measure, print the table and the quotes that were not found, write the JSON."""
    from pincite.evaluate.pages import evaluate_pages

    settings = settings_of(arguments)
    return _finish(
        arguments,
        evaluate_pages(
            arguments.folder,
            settings=settings,
            questions=arguments.questions,
            ask_sections=arguments.ask_sections,
            seed=arguments.seed,
            limit=arguments.limit,
            store=arguments.store,
            transcript=_transcript_of(arguments, settings),
        ),
    )


def run_answers(arguments: argparse.Namespace) -> int:
    """Measure, print the table and the quotes that were not found, write the JSON."""
    from pincite.evaluate.answer_sets import evaluate_answers

    settings = settings_of(arguments)
    return _finish(
        arguments,
        evaluate_answers(
            arguments.set,
            settings=settings,
            split=arguments.split,
            limit=arguments.limit,
            store=arguments.store,
            transcript=_transcript_of(arguments, settings),
        ),
    )


def run_references(arguments: argparse.Namespace) -> int:
    """Measure, print the table and the references that are wrong, write the JSON."""
    from pincite.evaluate.references import evaluate_references, mistakes

    evaluation = evaluate_references(
        arguments.set,
        settings=settings_of(arguments),
        gold=arguments.gold,
        limit=arguments.limit,
        store=arguments.store,
    )
    return _finish(arguments, evaluation, mistakes(evaluation))


def run_sections(arguments: argparse.Namespace) -> int:
    """Measure, print the table and what was missed or found wrongly, write the JSON."""
    from pincite.evaluate.sections import evaluate_sections, mistakes

    evaluation = evaluate_sections(arguments.folder, settings=settings_of(arguments), gold=arguments.gold)
    return _finish(arguments, evaluation, mistakes(evaluation))


def run_triplets(arguments: argparse.Namespace) -> int:
    """Measure, print the table, write the JSON."""
    from pincite.evaluate.triplets import evaluate_triplets

    return _finish(arguments, evaluate_triplets(arguments.set, limit=arguments.limit))


def run_pinned(arguments: argparse.Namespace) -> int:
    """Ask the store, print what has changed, write the JSON; exit code 1 where anything has."""
    from pincite.evaluate.pinned import evaluate_pinned

    with open_store(arguments) as engine:
        evaluation, changes = evaluate_pinned(engine, arguments.file)
    _finish(arguments, evaluation, changes.lines())
    return 1 if changes.by_question else 0


def _add_retrieval(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", type=Path, help="folder with corpus.jsonl, queries.jsonl, qrels/")
    parser.add_argument("--split", metavar="S", help="the file in qrels/, without its suffix; the only one if left out")
    parser.add_argument(
        "--channels", metavar="KEY,KEY", type=_keys, default=KEYS, help=f"which of {', '.join(KEYS)}; all if left out"
    )
    _add_common(parser)
    parser.set_defaults(run=run_retrieval)


def _add_pages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the documents, all in one store")
    parser.add_argument("--questions", metavar="FILE", type=Path, help="questions.jsonl in FOLDER if left out")
    parser.add_argument(
        "--ask-sections", metavar="N", type=_count, default=0, help="ask for N sampled section titles instead"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of that sample (0)")
    add_mode(parser)
    _add_transcript(parser)
    _add_common(parser)
    parser.set_defaults(run=run_pages)


def _add_answers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", type=Path, help="folder with corpus.jsonl, queries.jsonl, qrels/")
    parser.add_argument("--split", metavar="S", help="the file in qrels/, without its suffix; the only one if left out")
    add_mode(parser)
    _add_transcript(parser)
    _add_common(parser)
    parser.set_defaults(run=run_answers)


def _add_references(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", type=Path, help="folder with corpus.jsonl, or a folder of documents")
    parser.add_argument("--gold", metavar="FILE", type=Path, required=True, help="the references with their targets")
    parser.add_argument("--limit", metavar="N", type=_count, help="the first N references only")
    parser.add_argument("--store", metavar="DIR", type=Path, help="keep the store below DIR, to measure again")
    _add_output(parser)
    parser.set_defaults(run=run_references)


def _add_sections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the documents; those without gold are left out")
    parser.add_argument("--gold", metavar="DIR", type=Path, help="where STEM.sections.jsonl lie; beside the documents")
    _add_output(parser)
    parser.set_defaults(run=run_sections)


def _add_pinned(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the questions, as pincite audit pin writes them")
    parser.add_argument("--store", metavar="DIR", type=Path, help="the store (default: .pincite, found upwards)")
    add_models(parser)
    _add_output(parser)
    parser.set_defaults(run=run_pinned)


def _add_triplets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", type=Path, help="folder with gold*.tsv, or with *.jsonl of entities")
    parser.add_argument("--limit", metavar="N", type=_count, help="the first N sentences only")
    _add_output(parser)
    parser.set_defaults(run=run_triplets)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", metavar="N", type=_count, help="the first N questions only")
    parser.add_argument("--store", metavar="DIR", type=Path, help="keep the store below DIR, to measure again")
    add_models(parser)
    _add_output(parser)


def _add_transcript(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--transcript",
        metavar="FILE",
        type=Path,
        help="write each answer with what led to it as a line of JSON; beside --out in modes other than extract",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, help="write all figures as JSON")
    parser.add_argument("--json", action="store_true", help="print that JSON instead of the table")
    parser.add_argument("--quiet", action="store_true", help="print nothing")
    parser.add_argument(
        "--debug", action="store_true", help="show where an error comes from and what each question cost"
    )


def _keys(text: str) -> tuple[str, ...]:
    keys = tuple(part.strip() for part in text.split(","))
    if unknown := sorted(set(keys) - set(KEYS)):
        raise argparse.ArgumentTypeError(f"unknown {', '.join(unknown)}: choose from {', '.join(KEYS)}")
    return keys


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _transcript_of(arguments: argparse.Namespace, settings: Settings) -> Path | None:
    """Where the transcript goes: into the file that was given; else beside the figures, where any are written of
    another mode than extract."""
    given: Path | None = arguments.transcript
    out: Path | None = arguments.out
    if given is not None or out is None or settings.ask_mode == "extract":
        return given
    return out.with_name(f"{out.name.removesuffix('.json')}.transcript.jsonl")


def _finish(arguments: argparse.Namespace, evaluation: Evaluation, details: Sequence[str] = ()) -> int:
    from pincite.evaluate.report import as_table, invalid_quotes, write_json
    from pincite.records.plain import to_plain

    if arguments.json:
        print_json(to_plain(evaluation))
    elif not arguments.quiet:
        print("\n".join([as_table(evaluation), *invalid_quotes(evaluation), *details]))
    if arguments.out:
        write_json(evaluation, arguments.out)
    return 0
