"""What `pip install .` installs."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[2]


def test_the_package_holds_its_data_files(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (
        path for path in (ROOT / "src" / "pincite").rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    assert packed == {path.relative_to(ROOT / "src").as_posix() for path in files}
    assert {Path(name).name for name in packed} >= {
        "answer.schema.json",
        "ontology.toml",
        "combination.json",
        "parser.npz",
    }
