"""`pincite index --dry-run`: what would be read, and how long that takes by a sample of the files themselves."""

from __future__ import annotations

import argparse
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pincite.cli.common import print_json
from pincite.records import to_plain

if TYPE_CHECKING:
    from pincite.engine import Engine, IndexPlan
    from pincite.settings import Settings


def planned(arguments: argparse.Namespace, settings: Settings, store: Path, exclude: Sequence[str]) -> IndexPlan:
    """The plan; the sample is indexed in a store that is thrown away, as is one that stands in where there is none."""
    from pincite.wiring import open_engine

    with TemporaryDirectory() as folder:
        aside, sample = Path(folder) / "store", Path(folder) / "sample"
        sample.mkdir()
        is_new = not (store / "record.sqlite").is_file()
        with (
            open_engine(settings, aside, create=True) as trial,
            open_engine(settings, Path(folder) / "new" if is_new else store, create=is_new) as engine,
        ):
            return engine.plan(
                arguments.paths,
                mode=arguments.mode,
                manifest=arguments.source_manifest,
                name=arguments.name,
                exclude=exclude,
                timed=_timer(trial, sample),
            )


def print_plan(arguments: argparse.Namespace, plan: IndexPlan) -> None:
    """A line for each source, and one for all of them."""
    from pincite.engine import printed_name

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


def _timer(engine: Engine, folder: Path) -> Callable[[Sequence[Path]], float]:
    """Indexes copies of files, those that it had before as unchanged, and says how many seconds that took."""

    def timed(paths: Sequence[Path]) -> float:
        for number, path in enumerate(paths):
            shutil.copyfile(path, folder / f"{number} {path.name}")
        started = time.monotonic()
        engine.index([folder])
        return time.monotonic() - started

    return timed
