"""`pincite index --dry-run`: what would be read, and how long that takes by a sample of the files themselves."""

from __future__ import annotations

import argparse
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pincite.cli.common import print_json
from pincite.records.plain import to_plain
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Engine, IndexPlan, Trial
    from pincite.settings import Settings


def planned(arguments: argparse.Namespace, settings: Settings, store: Path, exclude: Sequence[str]) -> IndexPlan:
    """The plan; what is read for it goes into stores that are thrown away, as is one that stands in for a new one."""
    from pincite.engine.engine import Trials
    from pincite.wiring import open_engine

    with TemporaryDirectory() as name, ExitStack() as opened:
        folder = Path(name)
        is_new = not is_store(store)
        here = replace(settings, record_url="")
        engine = opened.enter_context(
            open_engine(here if is_new else settings, folder / "new" if is_new else store, create=is_new)
        )
        bare = replace(here, embedder="none", extractor="none", ocr="never")
        reading = opened.enter_context(open_engine(bare, folder / "read" / "store", create=True))
        indexing = opened.enter_context(open_engine(here, folder / "indexed" / "store", create=True))
        return engine.plan(
            arguments.paths,
            mode=arguments.mode,
            manifest=arguments.source_manifest,
            name=arguments.name,
            exclude=exclude,
            trials=Trials(
                partial(_tried, reading, folder / "read" / "sample"),
                partial(_tried, indexing, folder / "indexed" / "sample"),
            ),
        )


def print_plan(arguments: argparse.Namespace, plan: IndexPlan) -> None:
    """A line for each source, and one for all of them."""
    from pincite.engine.engine import printed_name

    if arguments.json:
        print_json(to_plain(plan))
        return
    for item in plan.documents:
        if not arguments.quiet:
            print(f"{item.status:9} {printed_name(item.source)}{f': {item.reason}' if item.reason else ''}")
    counts = Counter(item.status for item in plan.documents)
    size = sum(item.size for item in plan.documents if item.status in ("new", "changed"))
    cost = f"about {plan.seconds:.0f} s and {plan.disk_bytes / 1e6:.0f} MB of disk"
    print(
        f"{', '.join(f'{count} {name}' for name, count in counts.items()) or 'no documents'}; to read: "
        f"{size / 1e6:.1f} MB, {cost}; nothing was stored"
    )


def _tried(engine: Engine, folder: Path, paths: Sequence[Path]) -> Trial:
    """Index copies of these files; those that were copied by an earlier call have not changed."""
    from pincite.engine.engine import Trial

    folder.mkdir(exist_ok=True)
    names = {f"{number} {path.name}": path for number, path in enumerate(paths)}
    for name, path in names.items():
        shutil.copyfile(path, folder / name)
    started = time.monotonic()
    documents = engine.index([folder]).documents
    seconds = time.monotonic() - started
    chunks = {names[item.source]: item.chunks for item in documents if item.source in names}
    return Trial(seconds, chunks)
