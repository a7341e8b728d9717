"""Limits of a process that reads: memory, output, and time since its last sign of life."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path

_listeners: list[Callable[[], None]] = []


def listen(listener: Callable[[], None]) -> None:
    """From now on call `listener` at each beat; the worker of the sandbox does this once."""
    _listeners.append(listener)


def beat() -> None:
    """Say that work goes on. Nothing happens where nobody listens."""
    for listener in _listeners:
        listener()


_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP = 1, 38, 22
_FILTER_MODE = 2
_LOAD, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
_ALLOW, _DENY, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_X32_CALLS = 0x40000000


# fmt: off
_FORBIDDEN_X86_64 = (
    41, 42, 43, 49, 50, 53,              # socket connect accept bind listen socketpair
    59, 322, 62, 424, 101, 311,          # execve execveat kill pidfd_send_signal ptrace process_vm_writev
    76, 82, 83, 84, 85, 86, 87, 88,      # truncate rename mkdir rmdir creat link unlink symlink
    90, 91, 92, 263, 264, 258, 268, 316, # chmod fchmod chown unlinkat renameat mkdirat fchmodat renameat2
    165, 321, 425, 437,                  # mount bpf io_uring_setup openat2
)


_FORBIDDEN_AARCH64 = (
    198, 203, 202, 200, 201, 199,        # the same calls in the generic table
    221, 281, 129, 424, 117, 271,
    45, 34, 35, 36, 37, 38,
    52, 53, 54, 276,
    40, 280, 425, 437,
)


# fmt: on
_MACHINES: dict[str, tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    "x86_64": (0xC000003E, _FORBIDDEN_X86_64, ((2, 1), (257, 2))),
    "aarch64": (0xC00000B7, _FORBIDDEN_AARCH64, ((56, 2),)),
}
"""By machine: the kernel's name for it, forbidden calls, and (call that opens a file, position of its flags)."""


def confine() -> None:
    """Once, at the start: no network, no programs, no writing, no dumps."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    _forbid_calls()


def end_with_parent(pipe: int) -> None:
    """The parent's end is this process's own: by the kernel on Linux, else as soon as the parent's end of a pipe that
    it alone writes to is closed, which also tells of a parent that ended before."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    threading.Thread(target=_end_when_closed, args=(pipe,), daemon=True).start()


def _end_when_closed(pipe: int) -> None:
    watched = select.poll()
    watched.register(pipe, 0)
    watched.poll()
    os._exit(1)


def is_confined() -> bool:
    """Whether the kernel holds this process to what `confine` forbids."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return False
    return f"Seccomp:\t{_FILTER_MODE}" in status


def allow(memory_bytes: int, cpu_seconds: float) -> None:
    """For the next file: so much address space, so much processor time from now on."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
        _set_soft(resource.RLIMIT_AS, memory_bytes)
        _set_soft(resource.RLIMIT_CPU, seconds)


def give_back_memory() -> None:
    """Hand what is free back to the system, where its C library can: a long document leaves much behind."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def _set_soft(kind: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _forbid_calls() -> None:
    """A seccomp filter: forbidden calls fail with EPERM. Left out silently where the kernel has none."""
    machine = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return
    steps = _program(*machine)
    code = ctypes.create_string_buffer(b"".join(steps), 8 * len(steps))
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    libc = ctypes.CDLL(None)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        libc.prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.c_char_p(program), 0, 0)


def _program(architecture: int, forbidden: tuple[int, ...], opening: tuple[tuple[int, int], ...]) -> list[bytes]:
    """BPF over struct seccomp_data: the call's number at 0, architecture at 4, arguments from 16 on."""
    steps = [_step(_LOAD, 0, 0, 4), _step(_EQUAL, 1, 0, architecture), _step(_RETURN, 0, 0, _KILL)]
    steps += [_step(_LOAD, 0, 0, 0), _step(_AT_LEAST, 0, 1, _X32_CALLS), _step(_RETURN, 0, 0, _DENY)]
    for call in forbidden:
        steps += [_step(_EQUAL, 0, 1, call), _step(_RETURN, 0, 0, _DENY)]
    for call, position in opening:
        steps += [_step(_EQUAL, 0, 4, call), _step(_LOAD, 0, 0, 16 + 8 * position)]
        steps += [_step(_ANY_BIT, 0, 1, _WRITING), _step(_RETURN, 0, 0, _DENY), _step(_RETURN, 0, 0, _ALLOW)]
    return [*steps, _step(_RETURN, 0, 0, _ALLOW)]


def _step(code: int, if_true: int, if_false: int, value: int) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
