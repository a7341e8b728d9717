"""1. Whatever a server does, there is an answer, or one line that says what went wrong, in bounded time. 2. What it is
asked is what its protocol wants. 3. Who stops waiting closes the connection. 4. No message holds a secret."""

from __future__ import annotations

from collections.abc import Callable
from socket import create_server
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest
from tests.support.language_scripts import ANSWER, ENDLESS, ILL, SLOW, TOO_LONG, WELL, event, first, refusing, well
from tests.support.language_server import Behaviour, LanguageServer, Reply, Request, written

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.models.language_model import CHARACTERS_A_TOKEN, SLACK_CHARACTERS, OllamaModel, OpenAIModel
from pincite.records.prompts import Completion, LanguageService, Message, Prompt
from pincite.text.language import most_tokens

KEY = "very-secret"
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}}
PROMPT = Prompt(
    (Message("system", "Answer."), Message("user", "What lies on the roof?")), "test.1", 100, SCHEMA, seed=5
)
SOON = 1.0
"""Seconds until the deadline of a question to a server that is too slow."""
HANGS = 50
"""Seconds after which something hangs, however busy the machine is."""
DEFAULTS: dict[str, Any] = {"key": KEY, "timeout": 30.0}
Model = OllamaModel | OpenAIModel
Makes = Callable[..., Model]


def ollama(url: str, **changes: Any) -> Model:
    return OllamaModel(LanguageService(url, "small", "ollama", **DEFAULTS | changes))


def openai(url: str, **changes: Any) -> Model:
    return OpenAIModel(LanguageService(f"{url}/v1/", "small", "openai", **DEFAULTS | changes))


@pytest.fixture(params=[openai, ollama], ids=["openai", "ollama"])
def make(request: pytest.FixtureRequest) -> Makes:
    """How a model of either protocol is made on a server's address."""
    made: Makes = request.param
    return made


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers are asked again at once."""
    monkeypatch.setattr("pincite.models.language_model.PAUSES", (0.01, 0.01))


def asked(make: Makes, behave: Behaviour, prompt: Prompt = PROMPT, **options: Any) -> Completion:
    """What a server that behaves so completes a prompt with."""
    with LanguageServer(behave) as server:
        return make(server.url).complete(prompt, **options)


# --- servers that answer -----------------------------------------------------------------------------------

SAID = {
    "broken JSON": '{"answer": "Snow lies on the roof", "citations": [{',
    "JSON in a fence": f"Here you are:\n```json\n{ANSWER}\n```",
    "invented citations": '{"answer": "Snow.", "citations": [{"file": "nosuch.pdf", "page": 9999}]}',
    "contradiction": "The roof carries 1.2 kN. The roof does not carry 1.2 kN.",
    "another language": "Снег лежит на крыше. 雪は屋根の上にある。",
    "another schema": '[{"result": 1}]',
    "nothing at all": "",
    "invalid UTF-8": "The roof carries \ufffd\ufffd\ufffd.",
    "halves of a character": "a😀b\ufffd",
}


@pytest.mark.parametrize("script", sorted(WELL))
def test_what_a_server_says_is_given_on(make: Makes, script: str) -> None:
    told: list[str] = []
    said = asked(make, WELL[script], hear=told.append, deadline=Deadline.after(HANGS), cancelled=Event())
    assert said.text == "".join(told) == SAID.get(script, ANSWER)
    assert said.ended == ("length" if script == "cut by its tokens" else "stop")


def test_tokens_are_those_that_the_server_counts_else_estimates(make: Makes) -> None:
    counted, uncounted = asked(make, WELL["well"]), asked(make, WELL["no usage"])
    assert counted.prompt_tokens == 5
    assert counted.completion_tokens == -(-len(ANSWER) // 7)
    assert (
        uncounted.completion_tokens == asked(make, WELL["usage that is none"]).completion_tokens == most_tokens(ANSWER)
    )
    assert uncounted.prompt_tokens > 5


@pytest.mark.parametrize("script", sorted(ENDLESS))
def test_an_answer_that_goes_on_and_on_is_cut_and_its_connection_closed(make: Makes, script: str) -> None:
    with LanguageServer(ENDLESS[script]) as server:
        said = make(server.url).complete(PROMPT)
        assert said.ended == "length"
        assert len(said.text) <= PROMPT.tokens * CHARACTERS_A_TOKEN + SLACK_CHARACTERS
        if script != "a long answer in one line":
            assert server.left.wait(HANGS)


# --- servers that do not -----------------------------------------------------------------------------------


@pytest.mark.parametrize("script", sorted(ILL))
def test_what_goes_wrong_is_told_in_one_line(make: Makes, script: str) -> None:
    behave, told = ILL[script]
    with pytest.raises(ServiceError, match=told) as caught:
        asked(make, behave, deadline=Deadline.after(HANGS))
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("script", sorted(SLOW))
def test_a_slow_server_costs_no_more_than_the_deadline(make: Makes, script: str) -> None:
    started = monotonic()
    with pytest.raises(ServiceError, match=r"had not answered when the time was up|answered 503"):
        asked(make, SLOW[script], deadline=Deadline.after(SOON))
    assert monotonic() - started < HANGS


def test_a_server_that_is_silent_is_waited_for_no_longer_than_the_settings_say(make: Makes) -> None:
    with LanguageServer(SLOW["hangs in the middle"]) as server, pytest.raises(ServiceError, match="does not answer"):
        make(server.url, timeout=0.2).complete(PROMPT)


def test_a_server_that_is_not_there_is_asked_three_times(make: Makes) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(ServiceError, match=r"does not answer .* choose another --language-model"):
        make(url).complete(PROMPT)


@pytest.mark.parametrize(
    ("script", "times"), [("always 500", 3), ("always 429", 3), ("429 for an hour", 1), ("a wrong key", 1)]
)
def test_a_server_is_asked_again_where_that_may_help(make: Makes, script: str, times: int) -> None:
    with LanguageServer(ILL[script][0]) as server:
        with pytest.raises(ServiceError):
            make(server.url).complete(PROMPT)
        assert len(server.requests) == times


def test_an_answer_that_has_begun_is_not_asked_for_again(make: Makes) -> None:
    told: list[str] = []
    with LanguageServer(ILL["drops the connection"][0]) as server:
        with pytest.raises(ServiceError):
            make(server.url).complete(PROMPT, hear=told.append)
        assert len(server.requests) == 1
    assert ANSWER.startswith("".join(told)) and told


# --- stopping ----------------------------------------------------------------------------------------------


def set_when_asked(cancelled: Event, server: LanguageServer) -> None:
    """Cancel as soon as the server has a request; one that never came could not be left."""
    while not server.requests:
        sleep(0.01)
    cancelled.set()


@pytest.mark.parametrize("script", ["hangs before it answers", "hangs in the middle", "drips a byte a second"])
def test_who_cancels_is_heard_and_the_server_stops(make: Makes, script: str) -> None:
    cancelled = Event()
    with LanguageServer(SLOW[script]) as server:
        watcher = Thread(target=set_when_asked, args=(cancelled, server))
        watcher.start()
        with pytest.raises(ServiceError, match="was cancelled"):
            make(server.url).complete(PROMPT, cancelled=cancelled)
        watcher.join()
        assert server.left.wait(HANGS)


def test_a_server_stops_when_the_time_is_up(make: Makes) -> None:
    with LanguageServer(SLOW["hangs before it answers"]) as server:
        with pytest.raises(ServiceError):
            make(server.url).complete(PROMPT, deadline=Deadline.after(SOON))
        assert not server.requests or server.left.wait(HANGS)


def test_a_server_stops_when_who_hears_has_heard_enough(make: Makes) -> None:
    def hear(piece: str) -> None:
        raise ValueError(piece)

    with LanguageServer(SLOW["hangs in the middle"]) as server:
        with pytest.raises(ValueError, match="answe"):
            make(server.url).complete(PROMPT, hear=hear)
        assert server.left.wait(HANGS)


# --- prompts that are too long -----------------------------------------------------------------------------


@pytest.mark.parametrize("server", sorted(TOO_LONG))
@pytest.mark.parametrize("status", [400, 500])
def test_a_server_that_says_that_the_prompt_is_too_long_is_understood(make: Makes, server: str, status: int) -> None:
    with pytest.raises(PromptTooLongError, match=r"does not fit into the context of o.*:small"):
        asked(make, refusing(TOO_LONG[server], status))


def test_a_context_that_runs_out_in_the_middle_is_understood(make: Makes) -> None:
    def behave(request: Request) -> Reply:
        said = event(request, {"content": "Snow"})
        return Reply([said, written(request, {"error": {"message": TOO_LONG["llama.cpp"]}})])

    with pytest.raises(PromptTooLongError):
        asked(make, behave)


def test_a_prompt_that_cannot_fit_is_not_sent(make: Makes) -> None:
    with LanguageServer(well) as server:
        with pytest.raises(PromptTooLongError, match="its context has 600"):
            make(server.url, context=600, tokens=300).complete(
                Prompt((Message("user", "snow " * 200),), "test.1", tokens=1000)
            )
        assert server.requests == []


# --- what is asked -----------------------------------------------------------------------------------------


def test_an_openai_compatible_server_is_asked_in_its_way() -> None:
    with LanguageServer(well) as server:
        openai(server.url, tokens=80).complete(PROMPT)
        (request,) = server.requests
    assert (request.path, request.headers["Authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert request.body == {
        "model": "small",
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "What lies on the roof?"}],
        "temperature": 0,
        "seed": 5,
        "max_tokens": 80,
        "stream": True,
        "stream_options": {"include_usage": True},
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}},
    }


def test_ollama_is_asked_in_its_way_and_told_its_context() -> None:
    with LanguageServer(well) as server:
        ollama(server.url, context=4096).complete(PROMPT)
        (request,) = server.requests
    assert request.path == "/api/chat"
    assert request.body == {
        "model": "small",
        "messages": [{"role": "system", "content": "Answer."}, {"role": "user", "content": "What lies on the roof?"}],
        "stream": True,
        "options": {"temperature": 0, "seed": 5, "num_predict": 100, "num_ctx": 4096},
        "format": SCHEMA,
    }


def test_without_a_schema_none_is_asked_for(make: Makes) -> None:
    with LanguageServer(well) as server:
        make(server.url).complete(Prompt(PROMPT.messages, "test.1", 100))
        assert server.requests[0].schema is None


def test_a_server_that_takes_no_schema_is_asked_with_one_only_once(make: Makes) -> None:
    with LanguageServer(WELL["no schema taken"]) as server:
        model = make(server.url)
        assert [model.complete(PROMPT).text, model.complete(PROMPT).text] == [ANSWER, ANSWER]
        assert [request.schema for request in server.requests] == [SCHEMA, None, None]


def test_a_refusal_that_has_nothing_to_do_with_the_schema_does_not_end_schemas(make: Makes) -> None:
    behave = first(refusing("bad day"), refusing("bad day"), well)
    with LanguageServer(behave) as server:
        model = make(server.url)
        with pytest.raises(ServiceError, match="answered 400"):
            model.complete(PROMPT)
        model.complete(PROMPT)
        assert [request.schema for request in server.requests] == [SCHEMA, None, SCHEMA]


def test_a_server_says_which_models_it_has(make: Makes) -> None:
    with LanguageServer(well) as server:
        assert make(server.url).models_there(Deadline.after(HANGS))[0].startswith("small")


# --- secrets and addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["sécret-key", "secret-key\n", "secret\x00key"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(make: Makes, key: str) -> None:
    with pytest.raises(ServiceError, match="characters that no key has") as caught:
        make("http://127.0.0.1:9", key=key)
    assert "secret" not in str(caught.value)


def test_what_is_secret_in_an_address_is_not_shown(make: Makes) -> None:
    with LanguageServer(ILL["another model"][0]) as server, pytest.raises(ServiceError) as caught:
        make(server.url.replace("//", "//user:hidden@")).complete(PROMPT)
    assert "hidden" not in str(caught.value)


def test_an_address_that_is_none_is_told(make: Makes) -> None:
    with pytest.raises(ServiceError, match="cannot be one"):
        make("http://[::1")


def test_these_are_more_than_forty_ways_of_a_server() -> None:
    assert sum(map(len, (WELL, ENDLESS, ILL, SLOW, TOO_LONG))) > 50
