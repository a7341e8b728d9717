"""On what was it measured: the machine and the versions of the engines."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ENGINES = (
    "pincite",
    "numpy",
    "onnxruntime",
    "faiss-cpu",
    "SQLAlchemy",
    "PyStemmer",
    "pdf_oxide",
    "pypdfium2",
)
CPU_INFO = Path("/proc/cpuinfo")


def describe_machine() -> dict[str, Any]:
    """Processor, cores, memory, load and system, as they are now."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(gigabytes, 1),
        "load": round(os.getloadavg()[0], 2),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }


def describe_versions() -> dict[str, str]:
    """The versions of the package and of the engines that are installed."""
    found = {}
    for name in ENGINES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    if CPU_INFO.is_file():
        for line in CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
