"""What servers of language models do, well and badly: a function of a request for each way, by name."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import chain, count
from typing import Any

from tests.support.language_server import Behaviour, Reply, Request, plain, spoken, written

ANSWER = '{"answer": "Snow lies on the roof – 1.2 kN/m² 😀.", "citations": [{"file": "a.pdf", "page": 3}]}'
"""What a server says that is well."""
PAGE = b"<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"
TOO_LONG = {
    "llama.cpp": "the request exceeds the available context size, try increasing it",
    "llama.cpp with counts": "request (9000 tokens) exceeds the available context size (4096 tokens), "
    "try increasing it",
    "vLLM": "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens (8900 in the "
    "messages, 100 in the completion). Please reduce the length of the messages or completion.",
    "vLLM without chat": "The decoder prompt (length 9000) is longer than the maximum model length of 4096.",
    "Ollama": "the input length exceeds the context length",
    "Ollama with counts": "prompt too long; exceeded max context length by 40 tokens",
    "LM Studio": "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with "
    "context length of only 4096 tokens, which is not enough.",
}


def refusing(message: str, status: int = 400) -> Behaviour:
    """A server that refuses with these words."""
    return lambda _: plain({"error": {"message": message, "type": "invalid_request_error"}}, status)


def well(request: Request) -> Reply:
    """A server that is well."""
    return spoken(request, ANSWER)


def saying(text: str) -> Behaviour:
    """A server that is well, whose model says this."""
    return lambda request: spoken(request, text)


def first(*replies: Behaviour) -> Behaviour:
    """A server that does these one after the other, the last one for ever."""

    def behave(request: Request) -> Reply:
        return replies[min(request.number, len(replies)) - 1](request)

    return behave


def event(request: Request, message: dict[str, Any], *, done: bool = False, reason: str | None = None) -> bytes:
    """One event in which a server says this message."""
    if request.is_ollama:
        return written(request, {"message": message, "done": done} | ({"done_reason": reason} if reason else {}))
    return written(request, {"choices": [{"index": 0, "delta": message, "finish_reason": reason}]})


def _rambling(request: Request) -> Reply:
    return Reply(event(request, {"content": f"and then {number} "}) for number in count())


def _thinking_for_ever(request: Request) -> Reply:
    name = "thinking" if request.is_ollama else "reasoning_content"
    return Reply(event(request, {"content": "", name: f"hmm {number} "}) for number in count())


def _empty_for_ever(request: Request) -> Reply:
    return Reply(event(request, {"content": ""}) for _ in count())


def _alive_for_ever(request: Request) -> Reply:
    return Reply((b"\n" if request.is_ollama else b": still here\n\n") * 500 for _ in count())


def _dripping(request: Request) -> Reply:
    whole = b"".join(spoken(request, ANSWER * 10).pieces)
    return replace(spoken(request, ""), pieces=(bytes([byte]) for byte in whole), pause=1.0)


def _half(request: Request, then: str) -> Reply:
    pieces = list(spoken(request, ANSWER).pieces)
    return replace(spoken(request, ""), pieces=pieces[: len(pieces) // 2], then=then)


def _ends_early(request: Request) -> Reply:
    return _half(request, "end")


def _drops(request: Request) -> Reply:
    return _half(request, "drop")


def _hangs_in_the_middle(request: Request) -> Reply:
    return _half(request, "silence")


def _ends_within_a_line(request: Request) -> Reply:
    return replace(_half(request, "end"), pieces=[*_half(request, "end").pieces, b'data: {"choices": [{"del'])


def _utf8_in_single_bytes(request: Request) -> Reply:
    message = {"role": "assistant", "content": ANSWER}
    if request.is_ollama:
        lines = json.dumps({"message": message, "done": True, "done_reason": "stop"}, ensure_ascii=False) + "\n"
    else:
        said = {"choices": [{"index": 0, "delta": message, "finish_reason": "stop"}]}
        lines = f"data: {json.dumps(said, ensure_ascii=False)}\r\n\r\ndata: [DONE]\r\n\r\n"
    return replace(spoken(request, ""), pieces=(bytes([byte]) for byte in lines.encode()))


def _gzipped(request: Request) -> Reply:
    reply = spoken(request, ANSWER)
    content = gzip.compress(b"".join(reply.pieces), mtime=0)
    return Reply([content[:40], content[40:]], headers={**reply.headers, "Content-Encoding": "gzip"})


def _whole(request: Request, message: dict[str, Any] | None, kind: str = "application/json") -> Reply:
    """A server that knows no streams."""
    if request.is_ollama:
        return plain({"message": message, "done": True, "done_reason": "stop"}, kind=kind)
    return plain({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}, kind=kind)


def _one_answer(request: Request) -> Reply:
    return _whole(request, {"role": "assistant", "content": ANSWER})


def _indented(request: Request) -> Reply:
    if request.is_ollama:
        return _one_answer(request)
    content = json.loads(b"".join(_one_answer(request).pieces))
    return plain(json.dumps(content, indent=2).encode())


def _wrong_type(request: Request) -> Reply:
    return replace(spoken(request, ANSWER), headers={"Content-Type": "image/png"})


def _no_usage(request: Request) -> Reply:
    reply = spoken(request, ANSWER)
    if not request.is_ollama:
        return replace(reply, pieces=[piece for piece in reply.pieces if b"usage" not in piece])
    said = {"content": ""}
    return replace(reply, pieces=[*list(reply.pieces)[:-1], event(request, said, done=True, reason="stop")])


def _wrong_usage(request: Request) -> Reply:
    if request.is_ollama:
        end = {"message": {"content": ANSWER}, "done": True, "prompt_eval_count": "many", "eval_count": -3}
        return replace(spoken(request, ""), pieces=[written(request, end)])
    pieces = [event(request, {"content": ANSWER}, reason="stop"), written(request, {"choices": [], "usage": [1, "x"]})]
    return replace(spoken(request, ""), pieces=pieces)


def _tool_calls(request: Request) -> Reply:
    call = {"id": "1", "type": "function", "function": {"name": "delete_everything", "arguments": "{}"}}
    said = event(request, {"content": None, "tool_calls": [call]}, done=True, reason="tool_calls")
    return replace(spoken(request, ""), pieces=[said])


def _reasons_first(request: Request) -> Reply:
    name = "thinking" if request.is_ollama else "reasoning_content"
    thoughts = [event(request, {"content": None, name: f"Could it be {n}? "}) for n in range(3)]
    return replace(spoken(request, ANSWER), pieces=chain(thoughts, spoken(request, ANSWER).pieces))


def _fails_in_the_middle(request: Request) -> Reply:
    broken = {"error": "the model has crashed"}
    return replace(_half(request, "end"), pieces=[*_half(request, "end").pieces, written(request, broken)])


def _context_runs_out(request: Request) -> Reply:
    broken = {"error": {"message": TOO_LONG["llama.cpp"]}}
    return replace(_half(request, "end"), pieces=[*_half(request, "end").pieces, written(request, broken)])


def _two_choices(request: Request) -> Reply:
    if request.is_ollama:
        return spoken(request, ANSWER)
    pieces = []
    for piece in spoken(request, ANSWER).pieces:
        other = {"index": 1, "delta": {"content": "something else"}, "finish_reason": None}
        pieces += [written(request, {"choices": [other]}), piece]
    return replace(spoken(request, ""), pieces=pieces)


def _huge_line(request: Request) -> Reply:
    return Reply(chain([b'{"message": {"content": "'], (b"a" * 65_536 for _ in count())))


def _long_answer_in_one_line(request: Request) -> Reply:
    return replace(spoken(request, "a" * 300_000, size=300_000))


def _invalid_utf8(request: Request) -> Reply:
    broken = event(request, {"content": "The roof carries X."}).replace(b"X", b"\xff\xfe\x80")
    return replace(spoken(request, ""), pieces=chain([broken], spoken(request, "").pieces))


def _halves_of_a_character(request: Request) -> Reply:
    halves = [event(request, {"content": half}) for half in ("a\ud83d", "\ude00b", "\ud83d")]
    return replace(spoken(request, ""), pieces=[*halves, event(request, {"content": ""}, done=True, reason="stop")])


def _no_objects(request: Request) -> Reply:
    return replace(spoken(request, ""), pieces=[written(request, value) for value in ([1, 2], "3", None)])


def _strange_types(request: Request) -> Reply:
    if request.is_ollama:
        strange: list[Any] = [{"message": "text"}, {"message": {"content": ["a"]}}, {"message": None, "done": True}]
    else:
        strange = [{"choices": "x"}, {"choices": [3]}, {"choices": [{"delta": "text"}]}, {"choices": {"a": 1}}]
    return replace(spoken(request, ""), pieces=[written(request, event) for event in strange])


def _no_schema_taken(request: Request) -> Reply:
    refusal = "response_format.json_schema is not supported"
    return spoken(request, ANSWER) if request.schema is None else plain({"error": {"message": refusal}}, 400)


def _silent(request: Request) -> Reply:
    return Reply(silent=True)


def _redirect(request: Request) -> Reply:
    return plain({}, 307, Location="http://127.0.0.1:9/elsewhere")


WELL: dict[str, Behaviour] = {
    "well": well,
    "broken JSON": saying('{"answer": "Snow lies on the roof", "citations": [{'),
    "JSON in a fence": saying(f"Here you are:\n```json\n{ANSWER}\n```"),
    "invented citations": saying('{"answer": "Snow.", "citations": [{"file": "nosuch.pdf", "page": 9999}]}'),
    "contradiction": saying("The roof carries 1.2 kN. The roof does not carry 1.2 kN."),
    "another language": saying("Снег лежит на крыше. 雪は屋根の上にある。"),
    "another schema": saying('[{"result": 1}]'),
    "nothing at all": saying(""),
    "cut by its tokens": lambda request: spoken(request, ANSWER, finish="length"),
    "reasoning beside the answer": _reasons_first,
    "single bytes": _utf8_in_single_bytes,
    "no streams": _one_answer,
    "no streams, indented": _indented,
    "another content type": _wrong_type,
    "no usage": _no_usage,
    "usage that is none": _wrong_usage,
    "two choices": _two_choices,
    "invalid UTF-8": _invalid_utf8,
    "halves of a character": _halves_of_a_character,
    "500, then well": first(refusing("overloaded", 500), well),
    "503 twice, then well": first(refusing("loading model", 503), refusing("loading model", 503), well),
    "429, then well": first(refusing("slow down", 429), well),
    "429 with a time, then well": first(lambda _: plain({}, 429, **{"Retry-After": "0"}), well),
    "no schema taken": _no_schema_taken,
}
"""Servers from which an answer comes in the end, whatever it is worth."""

ENDLESS: dict[str, Behaviour] = {
    "rambling": _rambling,
    "thinking for ever": _thinking_for_ever,
    "a long answer in one line": _long_answer_in_one_line,
}
"""Servers whose answer has to be cut."""

ILL: dict[str, tuple[Behaviour, str]] = {
    "always 500": (refusing("oh no", 500), "answered 500"),
    "always 429": (refusing("slow down", 429), "answered 429 .* too busy"),
    "429 for an hour": (lambda _: plain({}, 429, **{"Retry-After": "3600"}), "answered 429"),
    "429 until a date": (lambda _: plain({}, 429, **{"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}), "answered 429"),
    "a wrong key": (refusing("Incorrect API key provided: very-secret", 401), "answered 401 .* is its key right"),
    "another model": (refusing("model not found", 404), "answered 404 for the model small: is the model there"),
    "a request that it does not take": (refusing("temperature is not supported"), "answered 400"),
    "a page of HTML": (lambda _: plain(PAGE, 200, "text/html"), "no JSON object"),
    "a gateway": (lambda _: plain(PAGE, 502, "text/html"), "answered 502"),
    "a redirect": (_redirect, "answered 307"),
    "an empty body": (lambda _: plain(b""), "sent no answer"),
    "null": (lambda _: plain(b"null"), "no JSON object"),
    "an object of something else": (lambda _: plain({"status": "ok"}), "sent no answer"),
    "no objects": (_no_objects, "no JSON object"),
    "deeply nested": (lambda _: plain(b'{"a":' * 20_000), "no JSON object"),
    "ends early": (_ends_early, "broke off"),
    "ends within a line": (_ends_within_a_line, "no JSON object"),
    "drops the connection": (_drops, "does not answer"),
    "an error in the middle": (_fails_in_the_middle, "failed while"),
    "tools instead of an answer": (_tool_calls, "called a tool"),
    "gzip that nobody asked for": (_gzipped, "sent a compressed answer"),
    "a line without end": (_huge_line, "sent no answer"),
    "empty pieces for ever": (_empty_for_ever, "sent no answer"),
    "signs of life for ever": (_alive_for_ever, "sent no answer"),
}
"""Servers from which no answer comes, with what is said of them."""

SLOW: dict[str, Behaviour] = {
    "hangs before it answers": _silent,
    "hangs in the middle": _hangs_in_the_middle,
    "drips a byte a second": _dripping,
    "asks for patience": lambda _: plain({}, 503, **{"Retry-After": "20"}),
}
"""Servers that are waited for no longer than the deadline says."""
