"""1. Imports keep their contracts, and the check bites. 2. Files and functions keep the budgets of the house.
3. Importing does nothing heavy. 4. The page about the architecture tells the truth. 5. The tree holds no address
or path of a machine."""

from __future__ import annotations

import ast
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pincite"
MODULES = sorted(PACKAGE.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef

# Places that may catch every error, each with its reason (docs/design.md section 9).
BROAD_EXCEPTS = {
    "cli/main.py": "the last handler: one line for the user instead of a traceback",
    "cli/chat.py": "an interruption, whatever error a library makes of it, stops an answer and not the chat",
    "telemetry/cost.py": "a telemetry that fails, however it fails, costs no answer",
    "build/faults.py": "one document that fails, however it fails, never stops the others",
    "read/worker.py": "the loop over files: one bad file never stops the others",
    "models/service.py": "what fails in the thread that reads is raised in the one that asks",
    "serve/indexing.py": "a run that fails, however it fails, is logged, told, and tried again",
    "serve/workers.py": "a question that fails, however it fails, is told to the service, and the next is answered",
    "evaluate/quotes.py": "an independent extractor that fails on a page, however it fails, has not found the quote",
}
# Files over 500 lines, each with its reason.
LONG_FILES: dict[str, str] = {}
HEAVY = {
    *("boto3", "botocore", "faiss", "sqlalchemy"),
    *("httpx", "numpy", "onnx", "onnxruntime", "rapidfuzz", "safetensors", "tokenizers"),
    *("pdf_oxide", "pypdfium2", "rapidocr"),
    *("fastapi", "jwt", "mcp", "opentelemetry", "pydantic", "starlette", "uvicorn"),
}
SKIPPED_FOLDERS = {"build", "demo", "dist", "__pycache__"}


@cache
def trees() -> dict[str, ast.Module]:
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}


def functions() -> Iterator[tuple[str, Function]]:
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{name}:{node.lineno} {node.name}", node


def length(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def ninetieth(values: list[int]) -> int:
    return sorted(values)[int(0.9 * (len(values) - 1))]


# --- imports -----------------------------------------------------------------------------------------------


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
    options = ["--no-logo", "--no-cache", "--config", str(folder / ".importlinter")]
    environment = {"PYTHONPATH": str(folder / "src"), "PATH": "", "COLUMNS": "200"}
    return subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


PLANTED = {
    "records/pages.py": "import pincite.errors",
    "planted/__init__.py": "",
    "build/planted.py": "import pincite.retrieve",
    "evaluate/planted.py": "import pincite.store",
    "serve/planted.py": "import pincite.retrieve",
    "cli/planted.py": "import fastapi",
    "retrieve/planted.py": "import faiss",
    "build/store_planted.py": "import boto3",
    "cli/agents_planted.py": "import mcp",
    "serve/traces_planted.py": "import opentelemetry",
    "build/adapter_planted.py": "import pincite.store.faiss_vectors",
}
BROKEN = {
    "Imports go down only": ("pincite.records.pages -> pincite.errors", "- pincite.planted"),
    "Building does not know retrieval": ("pincite.build.planted -> pincite.retrieve",),
    "through engine and wiring alone": (
        "pincite.serve.planted -> pincite.retrieve",
        "pincite.evaluate.planted -> pincite.store",
    ),
    "Only wiring names the concrete adapters": ("pincite.build.adapter_planted -> pincite.store.faiss_vectors",),
    "keep records and indexes": ("pincite.build.store_planted -> boto3", "pincite.retrieve.planted -> faiss"),
    "that traces are made with": ("pincite.serve.traces_planted -> opentelemetry",),
    "speak to those who ask": ("pincite.cli.planted -> fastapi", "pincite.cli.agents_planted -> mcp"),
}
"""By contract what of the planted lines breaks it."""


def test_planted_violations_are_found(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "src" / "pincite", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / ".importlinter", tmp_path)
    for module, line in PLANTED.items():
        target = tmp_path / "src" / "pincite" / module
        target.parent.mkdir(exist_ok=True)
        with target.open("a", encoding="utf-8") as stream:
            stream.write(f"\n{line}\n")
    result = lint_imports(tmp_path)
    assert result.returncode == 1
    summary, _, reasons = result.stdout.partition("Broken contracts")
    told = dict(zip(*[iter(re.split(r"^(.+)\n-+$", reasons, flags=re.MULTILINE)[1:])] * 2, strict=True))
    for contract, lines in BROKEN.items():
        assert any(contract in row and "BROKEN" in row for row in summary.splitlines()), result.stdout
        reason = next(text for name, text in told.items() if contract in name)
        assert [line for line in lines if line not in reason] == []


def heavy_modules_after(statement: str) -> set[str]:
    script = f"import sys\n{statement}\nprint(*sorted(sys.modules), sep='\\n', file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(result.stderr.split())
    assert "pincite" in loaded
    return loaded & HEAVY


def test_importing_pincite_loads_nothing_heavy() -> None:
    assert heavy_modules_after("import pincite") == set()


def test_asking_for_help_loads_nothing_heavy() -> None:
    ask = "try:\n    main(['--help'])\nexcept SystemExit as end:\n    assert not end.code"
    assert heavy_modules_after(f"from pincite.cli.main import main\n{ask}") == set()


# --- budgets -----------------------------------------------------------------------------------------------


def test_files_keep_their_budget() -> None:
    lines = {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8").count("\n") for path in MODULES}
    assert {name for name, count in lines.items() if count > 500} == set(LONG_FILES)
    assert statistics.median(lines.values()) <= 172
    assert ninetieth(list(lines.values())) <= 330


def test_functions_keep_their_budget() -> None:
    lengths = {place: length(node) for place, node in functions()}
    assert {place: count for place, count in lengths.items() if count > 60} == {}
    assert statistics.median(lengths.values()) <= 10
    assert ninetieth(list(lengths.values())) <= 30


def swallows_everything(node: ast.AST) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        return False
    caught = ast.unparse(node.type) if node.type else "BaseException"
    raised_again = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
    return bool(re.search(r"\b(BaseException|Exception)\b", caught)) and not raised_again


def test_every_error_is_caught_by_name_but_in_named_places() -> None:
    found = {name for name, tree in trees().items() if any(swallows_everything(node) for node in ast.walk(tree))}
    assert found == set(BROAD_EXCEPTS)


def rooms() -> list[Path]:
    return sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))


@pytest.mark.parametrize("room", [room.name for room in rooms()])
def test_a_room_opens_with_its_question_and_holds_nothing_else(room: str) -> None:
    tree = trees()[f"{room}/__init__.py"]
    assert len(tree.body) == 1
    question = (ast.get_docstring(tree) or "").splitlines()[0]
    assert question.endswith("?")
    assert question in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


# --- pages and addresses -----------------------------------------------------------------------------------


def test_every_path_that_the_architecture_page_names_exists() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:src|tests|tools|docs|\.ci|\.importlinter|[A-Z]+\.md|pyproject)[\w./-]*)`", page)
    assert len(named) > 5
    assert [name for name in named if not (ROOT / name).exists()] == []


def tracked_texts() -> Iterator[tuple[str, str]]:
    for folder, folders, names in os.walk(ROOT):
        skipped = SKIPPED_FOLDERS if Path(folder) == ROOT else {"__pycache__"}
        folders[:] = sorted(name for name in folders if name not in skipped and is_shown(name))
        for path in (Path(folder) / name for name in sorted(names) if is_shown(name)):
            yield path.relative_to(ROOT).as_posix(), path.read_bytes().decode("utf-8", "replace")


def is_shown(name: str) -> bool:
    return not name.startswith(".") or name in (".ci", ".importlinter", ".gitignore")


def test_the_tree_names_no_package_index_and_no_folder_of_a_machine() -> None:
    machine = "|".join(("work", "farm", "root"))
    pattern = re.compile(rf"index{'-'}url|https?://[^\s\"']*/{'simple'}\b|(?<![\w.])/(?:{machine})/")
    texts = dict(tracked_texts())
    assert {"Makefile", "requirements.lock"} <= set(texts)
    assert [(name, found[0]) for name, text in texts.items() if (found := pattern.search(text))] == []


def test_every_adapter_that_wiring_makes_passes_a_contract_kit() -> None:
    rooms = (*(f"pincite.store.{name}" for name in ("faiss", "bm25", "sql", "s3", "redis")), "pincite.models.")
    made = {
        alias.name
        for name in ("wiring.py", "shared_services.py")
        for node in ast.walk(trees()[name])
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(rooms)
        for alias in node.names
        if alias.name[0].isupper() and not alias.name.isupper() and "_" not in alias.name
    } - {"Breaker", "RedisServer"}
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "contracts").glob("*.py"))
    assert {"FaissVectors", "S3Objects", "Bm25Keywords", "SqlRecord", "OnnxEncoder"} <= made
    assert [name for name in sorted(made) if f"class Test{name}(" not in tests] == []
