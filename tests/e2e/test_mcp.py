"""A chat program enters pincite as a user does: the real command in a real process, asked by the client of the official
SDK, over standard input and output and over HTTP of this machine."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent
from tests.e2e.conftest import COMMAND, Run, environment

from pincite.installing import install_extra

QUESTION = "Which founders of Tesla or Rivian have invested in solar energy startups?"
TOOLS = {"ask", "search", "show_section", "resolve_reference", "list_documents"}
CITATION = re.compile(r"\([\w.]+\.pdf, p\.\d+\)$")
SECONDS = 120
"""How long a test waits for anything, however busy the machine is."""
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def talking(store: Path, work: Callable[[Client], Awaitable[Any]], *options: str, mode: str = "auto") -> Any:
    """What the work with `pincite mcp` gives; it starts and ends as a chat program starts and ends it."""

    async def talked() -> Any:
        server = StdioServerParameters(
            command=str(COMMAND), args=["mcp", "--store", str(store), *options], env=environment()
        )
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(server), mode=mode) as client:
                return await work(client)

    return anyio.run(talked)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    return cast(TextContent, content).text


@pytest.fixture(scope="session")
def guarded_store(pincite: Run, demo_documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the demo PDFs, of which one is closed to all but the board."""
    folder = tmp_path_factory.mktemp("guarded")
    manifest = folder / "sources.json"
    closed = {"tesla_patents.pdf": {"acl": ["board"]}}
    entries = [{"path": str(path), **closed.get(path.name, {})} for path in sorted(demo_documents.glob("*.pdf"))]
    manifest.write_text(json.dumps({"sources": entries}), encoding="utf-8")
    done = pincite(
        "index", demo_documents, "--source-manifest", manifest, "--embedder", "none", "--store", folder / "store"
    )
    assert done.returncode == 0, done.stderr
    return folder / "store"


# --- over standard input and output --------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_chat_program_asks_follows_a_reference_and_reads_where_it_leads(demo_store: Path, mode: str) -> None:
    async def work(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        listed = await client.call_tool("list_documents")
        assert "tesla_investments.pdf" in text_of(listed)
        answer = await client.call_tool("ask", {"question": QUESTION})
        lines = [line for line in text_of(answer).splitlines() if line.startswith("> ")]
        assert lines
        assert all(CITATION.search(line) for line in lines)
        (citation, *_) = answer.structured_content["statements"][0]["citations"]
        page = {"document": citation["source_id"], "page": citation["page"]}
        shown = await client.call_tool("show_section", page)
        assert citation["quote"] in shown.structured_content["pages"][0]["text"]
        found = await client.call_tool("resolve_reference", {"reference": "see section 2", "document": "roof_access"})
        (reference,) = found.structured_content["references"]
        assert reference["status"] == "resolved"
        target = {"document": reference["targets"][0]["source_id"], "section": reference["targets"][0]["name"]}
        assert text_of(await client.call_tool("show_section", target)).count("\n> ") > 2

    talking(demo_store, work, mode=mode)


def test_what_is_closed_to_the_asker_is_as_if_it_were_not_there(guarded_store: Path) -> None:
    closed = {"document": "tesla_patents.pdf", "page": 1}

    async def read(client: Client) -> tuple[str, bool]:
        listed, shown = await client.call_tool("list_documents"), await client.call_tool("show_section", closed)
        return text_of(listed), shown.is_error

    for_all, is_shut = talking(guarded_store, read)
    assert is_shut
    assert "tesla_patents.pdf" not in for_all
    for_board, is_shut = talking(guarded_store, read, "--principal", "board")
    assert not is_shut
    assert "tesla_patents.pdf" in for_board


def test_a_wrong_argument_is_an_error_and_the_server_goes_on(demo_store: Path) -> None:
    async def work(client: Client) -> None:
        wrong = await client.call_tool("show_section", {"document": "tesla_investments.pdf", "page": "twelve"})
        assert wrong.is_error
        assert text_of(wrong).startswith("wrong arguments: page: ")
        absent = await client.call_tool("show_section", {"document": "tesla_investments.pdf", "page": 99})
        assert text_of(absent) == "there is no page 99: the document has pages 1 to 14"
        assert not (await client.call_tool("search", {"question": "patents"})).is_error

    talking(demo_store, work)


@contextmanager
def started(store: Path, *options: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """`pincite mcp`, whose input stays open until it is closed, with `more` in its environment."""
    with subprocess.Popen(
        [COMMAND, "mcp", "--store", store, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment() | more,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str], message: object) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{json.dumps(message)}\n")
    process.stdin.flush()


def line_of(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


def test_standard_output_holds_the_protocol_alone_and_its_end_ends_the_server(demo_store: Path) -> None:
    with started(demo_store, "--debug") as process:
        said(process, "no message at all")
        said(process, HELLO)
        assert json.loads(line_of(process.stdout))["jsonrpc"] == "2.0"
        written, _ = process.communicate(timeout=SECONDS)
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in written.splitlines())
        assert process.returncode == 0


def test_an_interruption_ends_it(demo_store: Path) -> None:
    with started(demo_store) as process:
        said(process, HELLO)
        assert line_of(process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=SECONDS) == 0


def asking(number: int) -> dict[str, object]:
    """A call of the tool `ask`."""
    call = {"name": "ask", "arguments": {"question": f"{QUESTION} ({number})"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}


def test_a_cancelled_question_hangs_up_on_its_model_and_the_end_of_input_ends_one_that_waits(demo_store: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(SECONDS)
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        model = {"PINCITE_OPENAI_BASE_URL": address, "PINCITE_OPENAI_MODEL": "silent"}
        options = ("--mode", "generate", "--language-model", "openai")
        with started(demo_store, *options, **model) as process:
            for message in (HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"}, asking(2)):
                said(process, message)
            asked, _ = silent.accept()
            said(process, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})
            with asked:
                asked.settimeout(SECONDS)
                while asked.recv(65_536):
                    pass
            said(process, asking(3))
            waiting, _ = silent.accept()
            with waiting:
                assert process.stdin is not None
                process.stdin.close()
                assert process.wait(timeout=SECONDS) == 0


# --- over HTTP -----------------------------------------------------------------------------------------------


def test_a_program_of_this_machine_asks_over_http_and_a_page_of_another_does_not(demo_store: Path) -> None:
    with started(demo_store, "--http", "0") as process:
        told = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line_of(process.stderr))
        assert told
        address, port = told[0], told[1]

        async def asked(mode: str) -> CallToolResult:
            with anyio.fail_after(SECONDS):
                async with Client(address, mode=mode) as client:
                    return await client.call_tool("ask", {"question": QUESTION})

        for mode in ("auto", "legacy"):
            assert CITATION.search(text_of(anyio.run(asked, mode)).splitlines()[1])
        for headers, status in (
            ({}, 200),
            ({"Origin": f"http://localhost:{port}"}, 200),
            ({"Host": "rebound.example"}, 421),
            ({"Host": f"rebound.example:{port}"}, 421),
            ({"Host": f"127.0.0.1.rebound.example:{port}"}, 421),
            ({"Origin": "https://rebound.example"}, 403),
            ({"Origin": "http://localhost:1"}, 403),
            ({"Origin": "null"}, 403),
            ({"Content-Type": "text/plain"}, 400),
        ):
            given = {"Accept": "application/json, text/event-stream", **headers}
            assert httpx.post(address, json=HELLO, headers=given, timeout=SECONDS).status_code == status, headers
        for method in ("GET", "DELETE"):
            assert (
                httpx.request(method, address, headers={"Host": "rebound.example"}, timeout=SECONDS).status_code == 421
            )
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=SECONDS) == 0


def test_a_port_that_is_taken_is_told_in_one_line(pincite: Run, demo_store: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = pincite("mcp", "--store", demo_store, "--http", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "cannot be had" in done.stderr
    assert done.stderr.count("\n") == 1


# --- without the extra ---------------------------------------------------------------------------------------


def test_without_the_extra_it_says_what_to_install(demo_store: Path) -> None:
    without = (
        "import sys; sys.modules['mcp'] = None; from pincite.cli.main import main; "
        f"sys.exit(main(['mcp', '--store', {str(demo_store)!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", without], capture_output=True, text=True, env=environment(), timeout=SECONDS, check=False
    )
    assert done.returncode == 4
    assert done.stderr == f"pincite: the package mcp is not installed: run {install_extra('mcp')}\n"
    assert done.stdout == ""
