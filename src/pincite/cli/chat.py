"""`pincite chat DIR` A conversation as a file: Markdown to read, JSON for programs."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.answer_output import answer_lines, evidence_table, explanation_lines, markdown_lines
from pincite.cli.common import (
    add_common,
    add_mode,
    add_retrieval,
    find_store,
    link_maker,
    retrieval_of,
    settings_folder,
    settings_of,
    store_at,
)
from pincite.cli.index import listener_of, report_lines, shown_progress, store_of
from pincite.errors import PinciteError, StoreError, UsageError, comes_of_interruption
from pincite.printing import counted, printable
from pincite.rendering import plain_text, statement_lines
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Engine
    from pincite.engine.session import Conversation, Session, Turn

KINDS = (".md", ".json")


def check_kind(path: Path) -> None:
    """UsageError where a conversation cannot be written to a file of this name."""
    if path.suffix.casefold() not in KINDS:
        raise UsageError(f"{path} says not how it shall be written: name it {path.stem or 'talk'}.md or .json")
    if not path.expanduser().absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.parent} for {path.name}")


def save_turns(turns: Sequence[Turn], path: Path) -> None:
    """Write all turns; what stood there is replaced at once. UsageError where it cannot be written."""
    from pincite.report.writing import write_whole

    target = path.expanduser()
    written = _as_json(turns) if target.suffix.casefold() == ".json" else _as_markdown(turns)
    write_whole(target, lambda aside: aside.write_text(written, encoding="utf-8"))


def plain_turn(turn: Turn) -> dict[str, Any]:
    """A turn as JSON."""
    return {"typed": turn.typed, "question": turn.question, "answer": turn.answer.to_dict()}


def _as_json(turns: Sequence[Turn]) -> str:
    return json.dumps([plain_turn(turn) for turn in turns], ensure_ascii=False, indent=2) + "\n"


def _as_markdown(turns: Sequence[Turn]) -> str:
    return "\n\n".join("\n".join(_turn_lines(turn)) for turn in turns) + "\n"


def _turn_lines(turn: Turn) -> list[str]:
    heading, *rest = markdown_lines(turn.answer)
    typed = [] if turn.typed == turn.question else ["", f"Typed: {plain_text(turn.typed)}"]
    return [heading, *typed, *rest]


PROMPT = "? "
_EPILOG = """\
examples:
  pincite chat reports/                    read what is new, then ask
  pincite chat reports/ --reuse            ask the store as it is
  pincite chat reports/ --force            read the whole folder again first
  pincite chat                             ask the store of this folder
  pincite chat reports/ --save talk.md     save questions and answers (.md or .json)
  pincite chat reports/ < questions.txt    one question per line, from a pipe

What a question leaves out, or calls by a pronoun, is taken from those before it ("And in 2022?", "Who founded it?");
the chat shows how it understood it. Ctrl-C stops an answer, Ctrl-D ends the chat."""
_GREETING = "{count}. Ask in words; /help tells the rest, Ctrl-D leaves."
_HELP = """\
  /evidence    the passages behind the last answer
  /explain     how the last answer was made
  /save FILE   write questions and answers to a file (.md, or .json)
  /new         forget what was asked
  /quit        leave (Ctrl-D, too)"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "chat",
        help="ask one question after another",
        description="Ask one question after another; every sentence of every answer is pinned to its page.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, metavar="DIR", help="the folder of documents (default: the store found upwards)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--reuse", action="store_true", help="ask the store as it is, without checking the folder")
    how.add_argument("--force", action="store_true", help="read the whole folder again")
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="save questions and answers to this file: .md or .json"
    )
    add_mode(parser)
    add_retrieval(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the folder where one is given, then ask until there is nothing more to ask."""
    from pincite.engine.session import Conversation
    from pincite.wiring import open_engine

    if arguments.save is not None:
        check_kind(arguments.save)
    store = _store(arguments)
    is_read = arguments.folder is not None and not arguments.reuse
    settings = settings_of(arguments, store.absolute().parent if is_read else settings_folder(store))
    with open_engine(settings, store, create=is_read) as engine:
        if is_read:
            _read(engine, arguments, store)
        session = engine.session(arguments.principal)
        chat = Chat(Conversation(session), session, arguments, retrieval_of(arguments, settings), sys.stdin.isatty())
        if chat.is_typed:
            print(_GREETING.format(count=counted(len(session.documents.sources()), "documents")), file=sys.stderr)
        for line in _lines(is_typed=chat.is_typed):
            if not chat.take(line.strip()):
                break
    return 0


def _store(arguments: argparse.Namespace) -> Path:
    """The store of the folder; that of `--store`, or the one found upwards, where no folder is given."""
    folder = arguments.folder
    if folder is None:
        if arguments.force:
            raise UsageError("--force reads a folder anew: give it (pincite chat DIR --force)")
        return find_store(arguments.store)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder: give the one that holds the documents")
    store = store_at(arguments.store) if arguments.store else store_of(folder)
    if arguments.reuse and not is_store(store):
        raise StoreError(f"there is no store in {store}: leave out --reuse, and the folder is read")
    return store


def _read(engine: Engine, arguments: argparse.Namespace, store: Path) -> None:
    """Read what is new in the folder, or all of it; the result goes to standard error."""
    with shown_progress(arguments) as shown:
        report = engine.index(
            [arguments.folder],
            mode="full" if arguments.force else "incremental",
            progress=listener_of(shown, debug=arguments.debug),
        )
    if not arguments.quiet:
        print("\n".join(report_lines(report, store)), file=sys.stderr)


def _lines(*, is_typed: bool) -> Iterator[str]:
    """What is typed, with the line editor of the terminal where there is one, or what comes through a pipe."""
    if not is_typed:
        yield from sys.stdin
        return
    with suppress(ImportError):
        importlib.import_module("readline")
    while True:
        try:
            yield input(PROMPT)
        except EOFError:
            print(file=sys.stderr)
            return
        except KeyboardInterrupt:
            print("\n(/quit or Ctrl-D leaves)", file=sys.stderr)


@dataclass(slots=True)
class Chat:
    """A conversation on a terminal or in a pipe."""

    conversation: Conversation
    session: Session
    arguments: argparse.Namespace
    terms: dict[str, Any]
    is_typed: bool

    def take(self, line: str) -> bool:
        """Answer a question, or do as a command says; whether there may be more."""
        name, _, rest = line.partition(" ")
        try:
            if name in ("/quit", "/exit"):
                return False
            if line.startswith("/"):
                self._commands().get(name, _help)(rest.strip())
            elif line:
                self._answer(line)
        except PinciteError as error:
            print(f"pincite: {' '.join(str(error).split())}", file=sys.stderr)
        except KeyboardInterrupt:
            print("\nstopped", file=sys.stderr)
        except Exception as error:
            if not comes_of_interruption(error):
                raise
            print("\nstopped", file=sys.stderr)
        return True

    def _answer(self, typed: str) -> None:
        question = self.conversation.understood(typed, mode=self.arguments.ask_mode)
        if not self.is_typed and not self.arguments.json:
            print(f"{PROMPT}{printable(typed)}")
        if question != typed and not self.arguments.json:
            print(f"  understood as: {printable(question)}", flush=True)
        turn = self.conversation.ask(typed, question, **self.terms)
        if self.arguments.json:
            print(json.dumps(plain_turn(turn), ensure_ascii=True))
        else:
            self._print(turn)
        sys.stdout.flush()
        if self.arguments.save is not None:
            save_turns(self.conversation.turns, self.arguments.save)

    def _print(self, turn: Turn) -> None:
        said = statement_lines(turn.answer, link_maker(self.session))
        print("\n".join([*answer_lines(turn.answer, said, quiet=True), ""]))
        if self.arguments.debug:
            print("\n".join([*explanation_lines(turn.answer), ""]))
        for note in (*turn.answer.degraded, *turn.answer.notices):
            print(f"note: {note}", file=sys.stderr)

    def _commands(self) -> dict[str, Callable[[str], None]]:
        return {"/evidence": self._evidence, "/explain": self._explain, "/save": self._save_to, "/new": self._forget}

    def _evidence(self, _: str) -> None:
        found = self._last().answer.evidence
        print(evidence_table(found) if found else "nothing was found")

    def _explain(self, _: str) -> None:
        print("\n".join(explanation_lines(self._last().answer)))

    def _save_to(self, name: str) -> None:
        if not name:
            raise UsageError("/save takes the name of a file: talk.md or talk.json")
        check_kind(Path(name))
        save_turns(self.conversation.turns, Path(name).expanduser())
        print(f"saved: {name}", file=sys.stderr)

    def _forget(self, _: str) -> None:
        self.conversation.forget()
        print("earlier questions are forgotten", file=sys.stderr)

    def _last(self) -> Turn:
        if not self.conversation.turns:
            raise UsageError("nothing has been asked yet")
        return self.conversation.turns[-1]


def _help(_: str) -> None:
    print(_HELP, file=sys.stderr)
