"""The generated pages of docs/: python tools/write_docs.py [FOLDER]

`command-line.md` comes from the argument parser, `settings.md` from the settings' dataclass, `http.md` from the OpenAPI
description that the service gives. A test compares what is committed with what this writes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.cli.main import build_parser
from pincite.settings import FROM_FOLDERS, describe_settings

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTE = "<!-- Written by tools/write_docs.py; `make docs` writes it again. -->"
SHARED = ("common options", "what to search")
"""Groups of options that many commands have alike: told once."""
EXAMPLES = re.compile(r"^(\w[\w ]*):$", re.MULTILINE)

# --- the command line --------------------------------------------------------------------------------------


def command_line() -> str:
    """Every command with its arguments, as the parser has them."""
    top = build_parser()
    commands = list(_commands(top))
    lines = [
        "# Command line",
        "",
        NOTE,
        "",
        _text(top.description),
        "",
        *_table(
            ("Command", "What it does"), [(f"[`pincite {name}`](#pincite-{name})", told) for name, told, _ in commands]
        ),
        "",
        *_epilog(top.epilog),
    ]
    for title in SHARED:
        lines += [f"## {title.capitalize()}", "", f"Commands that have them say so below: *{title}*.", ""]
        lines += [*_options(_group(commands, title)), ""]
    for name, _, parser in commands:
        lines += _command(f"pincite {name}", parser, level=2)
    return "\n".join(lines).rstrip() + "\n"


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Name, help and parser of each command below this one."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest: choice.help or "" for choice in action._choices_actions}
            yield from ((name, told[name], found) for name, found in action.choices.items())


def _group(commands: Sequence[tuple[str, str, argparse.ArgumentParser]], title: str) -> Sequence[argparse.Action]:
    return next(
        group._group_actions for _, _, parser in commands for group in parser._action_groups if group.title == title
    )


def _command(name: str, parser: argparse.ArgumentParser, *, level: int) -> Iterator[str]:
    groups = [group for group in parser._action_groups if group._group_actions]
    own = [
        action
        for group in groups
        if group.title not in SHARED
        for action in group._group_actions
        if not isinstance(action, argparse._SubParsersAction | argparse._HelpAction)
    ]
    below = list(_commands(parser))
    given = " ".join(_named(action) for action in own if not action.option_strings)
    also = [f"*{group.title}*" for group in groups if group.title in SHARED]
    yield from (f"{'#' * level} {name}", "")
    if parser.description:
        yield from (_text(parser.description), "")
    if not below:
        yield from ("```", " ".join(filter(None, (name, "[options]", given))), "```", "")
    if own:
        yield from (*_options(own), "")
    if also:
        yield from (f"Also: {' and '.join(also)}.", "")
    yield from _epilog(parser.epilog)
    for inner, _, found in below:
        yield from _command(f"{name} {inner}", found, level=level + 1)


def _named(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest.upper())
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}.get(str(action.nargs), name)


def _options(actions: Sequence[argparse.Action]) -> list[str]:
    return _table(
        ("Option", "What it means"), [(f"`{_option(action)}`", _cell(action.help or "")) for action in actions]
    )


def _option(action: argparse.Action) -> str:
    if not action.option_strings:
        return _named(action)
    taken = action.metavar or (action.choices and f"{{{','.join(map(str, action.choices))}}}") or action.dest.upper()
    return ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {taken}")


def _epilog(text: str | None) -> Iterator[str]:
    """Lines that are indented as they are; all else as paragraphs."""
    for part in re.split(r"\n\s*\n", (text or "").strip("\n")):
        lines = part.splitlines()
        if lines and (heading := EXAMPLES.fullmatch(lines[0].strip())):
            yield from (f"{heading[1].capitalize()}:", "")
            lines = lines[1:]
        if not lines:
            continue
        if lines[0].startswith("  "):
            yield from ("```", *_dedented(lines), "```", "")
        else:
            yield from (_text(" ".join(lines)), "")


def _dedented(lines: Sequence[str]) -> list[str]:
    least = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return [line[least:].rstrip() for line in lines]


# --- settings ----------------------------------------------------------------------------------------------

SETTINGS_HEAD = f"""\
# Settings

{NOTE}

A value comes from the first of these that has it:

1. an option of the command (`--top-k 5`);
2. the environment: `PINCITE_` and the name in capitals (`PINCITE_TOP_K=5`), or one of the names in the last column;
3. `pincite.toml` in the indexed folder, for harmless settings only (below);
4. your own `~/.config/pincite/pincite.toml` (below `XDG_CONFIG_HOME` where that is set).

`pincite doctor --settings` prints each value and where it came from.

Anybody may have written the file in a folder of documents, so only these settings are read from it: {{folders}}.
What it has in `profiles`, `redact` and `redact_patterns` is added to yours; everything else in it is reported and
ignored. A key goes only to the address you named together with it (`openai_base_url`, `reranker_url`).

## Profiles of your own

```toml
[profiles.mine]
vec = 0.5
bm25 = 0.3
graph = 0.2
merge_near_copies = true       # merges near copies, also those that differ in a number
```

`--profile mine` uses it. The weights are `vec`, `bm25`, `graph`, `gear` and `sources`. Tables for language models are
on the page [Models](models.md), patterns to be masked on the page [Masking personal data](redaction.md).

## All settings
"""


def settings() -> str:
    """Every setting with its default, meaning, and other names."""
    rows = [
        (f"`{name}`", _default(default), _cell(told), ", ".join(f"`{alias}`" for alias in aliases))
        for name, default, told, aliases in describe_settings()
    ]
    folders = ", ".join(f"`{name}`" for name in FROM_FOLDERS)
    table = _table(("Setting", "Default", "What it means", "Also read from"), rows)
    return "\n".join((SETTINGS_HEAD.replace("{folders}", folders), *table)) + "\n"


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if value not in ("", ()) else "–"


# --- HTTP --------------------------------------------------------------------------------------------------

HTTP_HEAD = f"""\
# HTTP

{NOTE}

`pincite serve` answers these routes; it needs the extra `serve` (see [Service and rights](service.md)). The full
description, with the shape of every request and answer, is at `/api/openapi.json` of a running service: clients can be
generated from it.

Requests and answers are JSON. Where there are tokens, send `Authorization: Bearer SECRET`. A failure is
`{{"error": {{"kind", "message"}}}}` with a matching status: 400 wrong use, 401 no valid token, 403 not allowed, 404 not
there or not visible to you, 413 too large, 422 a field that does not fit, 429 asked too often, 503 busy (both with
`Retry-After`).
"""


def http() -> str:
    """Every route with its parameters and the role that it needs."""
    from pincite.serve.access import Access
    from pincite.serve.access_tokens import RULES, Tokens
    from pincite.serve.app import build_app
    from pincite.settings import Settings

    app = build_app(None, Settings(), Access(Tokens(Path()), is_local=True))  # type: ignore[arg-type]
    described = app.openapi()
    schemas = described["components"]["schemas"]
    lines = [HTTP_HEAD]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            lines += _route(f"{method.upper()} {path}", operation, schemas, RULES)
    return "\n".join(lines).rstrip() + "\n"


def _route(
    name: str, operation: Mapping[str, Any], schemas: Mapping[str, Any], rules: Mapping[str, str]
) -> Iterator[str]:
    yield from (f"## `{name}`", "", _sentence(operation["summary"]) + f" Role: {rules[name]}.", "")
    if told := operation.get("description"):
        yield from (" ".join(told.split()), "")
    rows = [
        (
            f"`{one['name']}`",
            _kind(one["schema"]),
            "yes" if one.get("required") else "",
            _cell(one.get("description", "")),
        )
        for one in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    fields = schemas.get(body.get("$ref", "").rpartition("/")[2], {})
    required = fields.get("required", [])
    rows += [
        (f"`{field}`", _kind(schema), "yes" if field in required else "", _cell(schema.get("description", "")))
        for field, schema in fields.get("properties", {}).items()
    ]
    if rows:
        head = ("Field" if fields else "Parameter", "Type", "Required", "What it means")
        yield from (*_table(head, rows), "")


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


# --- Markdown ----------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|")


def _text(text: str | None) -> str:
    """One line, in which nothing that stands for itself is taken for markup."""
    return re.sub(r"([<>*_\[\]])", r"\\\1", " ".join((text or "").replace("%%", "%").split()))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


PAGES: Mapping[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "settings.md": settings,
    "http.md": http,
}


def main(folder: Path) -> int:
    """Write all of them."""
    for name, written in PAGES.items():
        (folder / name).write_text(written(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS))
