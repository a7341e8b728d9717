"""What the drive below a store can do: locks, and whether it lies on this machine."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pincite.store.locks import try_share

NETWORK_DRIVES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.s3fs", "glusterfs"}
)
_MOUNTS = Path("/proc/self/mounts")


def locks_work(folder: Path) -> bool:
    """Whether files in this folder can be locked; False also where it cannot be written."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            return try_share(Path(file.name))
    except OSError:
        return False


def drive_of(folder: Path, mounts: Path = _MOUNTS) -> str | None:
    """The type of the file system that a folder lies on ("ext4", "nfs4"); None where the system does not say."""
    try:
        rows = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return None
    place = os.path.realpath(folder)
    above = [(row[1], row[2]) for row in rows if len(row) > 2 and _holds(row[1].replace("\\040", " "), place)]
    return max(above, key=lambda found: len(found[0]))[1] if above else None


def _holds(mounted: str, place: str) -> bool:
    return place == mounted or place.startswith(mounted.rstrip("/") + "/")
