"""Questions to a store: search, answer, receipt, cache, replay."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import numpy as np

from pincite.answer.asked.topics import Earlier
from pincite.answer.compose import EXTRACT, compose_answer
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.talk import ReplayedModel
from pincite.answer.relations.paths import triplets_of_results
from pincite.answer.said.citations import NOT_IN_SOURCE
from pincite.audit.chain import canonical, new_event, store_event
from pincite.audit.compare import Replay, compare_environments, compare_outputs, describe_environment
from pincite.audit.kept import Access, Kept, Plain, keep, restore, restored_retrieval
from pincite.audit.receipts import NO_MODEL, Asked, Receipt, find_receipt, purge_receipts, store_answer, store_retrieval
from pincite.build.copies import revision_notices
from pincite.build.editions import change_notices
from pincite.build.sources import Roots
from pincite.deadline import Deadline
from pincite.engine.view import MissingReader, View
from pincite.engine.views import Parts, Views
from pincite.errors import ServiceError, StoreError, UsageError
from pincite.ports import AnswerStore, ReceiptStore
from pincite.printing import printed_name
from pincite.records.answers import Answer
from pincite.records.audit import EventKind, Run
from pincite.records.evidence import Evidence, Retrieval
from pincite.records.plain import from_plain, to_plain
from pincite.records.prompts import Call, QuestionFailure
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.records.sources import Source
from pincite.retrieve.named import search_naming
from pincite.retrieve.query import parse_query
from pincite.retrieve.scope import scope_notices
from pincite.retrieve.search import EMBEDDER_SILENT, search
from pincite.retrieve.visible import is_visible
from pincite.stopwatch import Steps, Stopwatch
from pincite.telemetry.cost import attempt, cost_of
from pincite.text.language import most_tokens
from pincite.threads import Lazy

RERANKER_SILENT = "the reranker cannot be used: the cheaper signals alone judged what answers"
MARKED = "stands behind words that the source does not have and that are those of"
NOT_STORED = "receipt not stored"
WRITTEN_BY_MODELS = frozenset({"generate", "agentic", "auto", "follow"})
"""The modes whose answers depend on a language model, where there is one."""
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class _Terms:
    """How a question is asked: the policy of its retrieval, the filter that was given beside it, the mode, by whom."""

    policy: RetrievalPolicy
    given: Filter
    mode: str
    who: str = ""


class Asker:
    """Asks one store. What is kept of questions never stands between a question and its answer."""

    def __init__(self, parts: Parts, views: Views) -> None:
        self._parts = parts
        self._views = views
        self._open_receipts = Lazy(parts.receipts)
        self._open_cache = Lazy(parts.cache)

    def close(self) -> None:
        """Let go of receipts, cache and telemetry."""
        for opened in (self._open_receipts.taken(), self._open_cache.taken()):
            if opened is not None:
                opened.close()
        attempt(self._parts.telemetry.close)

    def search(
        self, question: str, policy: RetrievalPolicy, given: Filter, *, receipt: bool, deadline: Deadline
    ) -> Retrieval:
        """The evidence for a question, best first."""
        text, shown = _checked_question(question), replace(policy, looked_at=policy.top_k)

        def found_in(view: View) -> Retrieval:
            retrieval = _with_triplets(view, search(view.space, text, shown, replace(given, as_of=None)))
            if receipt:
                model = self._environment(view, EXTRACT)["model"]
                name = NO_MODEL if model is None else model["name"]
                _quietly(lambda: store_retrieval(self.receipts, retrieval, policy, name))
            return retrieval

        return self._undisturbed(given, deadline, found_in)

    def ask(
        self,
        question: str,
        policy: RetrievalPolicy,
        given: Filter,
        *,
        mode: str,
        receipt: bool,
        deadline: Deadline,
        heard: Callable[[str], None] | None = None,
        who: str = "",
    ) -> Answer:
        """The answer to a question in a mode; without a receipt it is made anew. `heard`: see `Session.ask`."""
        steps, text, terms = Steps(), _checked_question(question), _Terms(policy, given, mode, who)

        def answered_in(opened: View) -> tuple[Answer, bool]:
            view = _watched(opened, steps, heard)
            if not receipt:
                return self._signed(_composed(view, text, terms), view, given), False
            environment = self._environment(view, mode)
            key = _cache_key(view, text, terms, environment)
            if (found := self._cached(view, key, text)) is not None:
                return self._given_again(view, *found, terms, environment), True
            answer = self._signed(_composed(view, text, terms), view, given)
            kept = keep(answer)
            if not view.faults and answer.degraded == answer.trace.degraded:
                _quietly(lambda: self._keep(key, kept.content))
            asked = Asked(given, view.revision, environment, cached=False, who=who)
            return self._with_receipt(view, answer, kept, asked), False

        with self._reporting_failures(text, mode, steps):
            answer, is_cached = self._undisturbed(given, deadline, answered_in)
        self._report_cost(answer, steps, is_cached=is_cached)
        return answer

    def again(
        self, question: str, policy: RetrievalPolicy, given: Filter, *, mode: str, deadline: Deadline, who: str = ""
    ) -> Answer | None:
        """The answer that was given to the same question lately, with a receipt of its own; None where it would have to
        be made."""
        steps, text, terms = Steps(), _checked_question(question), _Terms(policy, given, mode, who)

        def kept_in(opened: View) -> Answer | None:
            view = _watched(opened, steps)
            environment = self._environment(view, mode)
            found = self._cached(view, _cache_key(view, text, terms, environment), text)
            return None if found is None else self._given_again(view, *found, terms, environment)

        with self._reporting_failures(text, mode, steps):
            answer = self._undisturbed(given, deadline, kept_in)
        if answer is not None:
            self._report_cost(answer, steps, is_cached=True)
        return answer

    def completed(self, typed: str, turns: Sequence[Earlier], mode: str, deadline: Deadline) -> str:
        """A question as it is understood after these turns, by the language model where the mode has one."""
        from pincite.answer.modes.completing import completed_question

        if mode not in WRITTEN_BY_MODELS or not turns:
            return completed_question(_checked_question(typed), turns)
        with self._views.at(None, deadline) as view:
            return completed_question(_checked_question(typed), turns, view.language_model, deadline)

    def replay(self, run_id: str, access: Access, *, from_hits: bool) -> Replay:
        """Ask again what a receipt says was asked, of the same documents, and compare.

        `from_hits` takes the stored hits instead of searching.
        """
        receipt = find_receipt(self.receipts, run_id, access)
        request, kept, before = receipt.request, receipt.answer, receipt.output
        if request is None or kept is None or before is None:
            raise StoreError(f"the receipt {receipt.run.run_id} was purged: there is nothing to compare with")
        try:
            policy = from_plain(RetrievalPolicy, request["policy"], exact=True)
            given = from_plain(Filter, request["filter"], exact=True)
        except ValueError as error:
            raise StoreError(
                f"the receipt {receipt.run.run_id} has settings of another version of pincite ({error})"
            ) from error
        terms = _Terms(policy, given, receipt.run.mode)
        with self._replayed(receipt.run, given.principals) as latest:
            view = _as_then(latest, receipt)
            if from_hits:
                found = _visible(view, restored_retrieval(kept, view.record.chunks))
                after = _answered(view, found, terms)
            else:
                after = _composed(view, request["question"], terms)
            environment = self._environment(view, terms.mode)
        replay = compare_outputs(receipt.run.run_id, before, after.to_dict(stable=True))
        moved = [] if replay.same else compare_environments(receipt.environment or {}, environment)
        return replace(replay, differences=(*moved, *replay.differences))

    def note(self, kind: EventKind, **said: Any) -> bool:
        """Put an event of this moment into the chain; whether that could be done."""
        return _quietly(lambda: store_event(self.receipts, new_event(kind, **said))) is not None

    def forget_answers(self) -> None:
        """Empty the cache; StoreError where that cannot be done."""
        if self._cache is not None:
            self._cache.clear()

    def purge(self, source_id: str) -> None:
        """Take what a source says out of all receipts, and empty the cache."""
        purge_receipts(self.receipts, source_id)
        self.forget_answers()

    def cache_counts(self) -> dict[str, int]:
        """How often an answer was found in the cache, and how often not; empty where there is no cache."""
        return _quietly(lambda: None if self._cache is None else self._cache.counts()) or {}

    # --- helpers

    @contextmanager
    def _reporting_failures(self, question: str, mode: str, steps: Steps) -> Iterator[None]:
        """Reports the error that ends a question to the telemetry."""
        try:
            yield
        except Exception as error:
            went = steps.timeline()
            failure = QuestionFailure(question, mode, type(error).__name__, round(went.ended_ms, 3), went)
            attempt(lambda: self._parts.telemetry.failed(failure))
            raise

    def _undisturbed(self, given: Filter, deadline: Deadline, action: Callable[[View], _Result]) -> _Result:
        """What the action finds in a view; in a new one where it failed since a source was purged meanwhile."""
        while True:
            with self._views.at(given.as_of, deadline, given.principals) as view:
                try:
                    return action(view)
                except StoreError:
                    if view.sources.keys() <= self._views.sources().keys():
                        raise

    @property
    def receipts(self) -> ReceiptStore:
        """What is kept of questions, opened when it is first needed."""
        return self._open_receipts()

    @property
    def _cache(self) -> AnswerStore | None:
        return self._open_cache()

    @contextmanager
    def _replayed(self, run: Run, principals: Sequence[str]) -> Iterator[View]:
        """The generation that was asked: the current one, or that of the run's revision."""
        with self._views.at(None, principals=principals) as latest:
            is_current = latest.generation == run.generation
            if is_current:
                yield latest
        if not is_current:
            with self._views.past(run.revision, principals=principals) as view:
                yield view

    def _given_again(self, view: View, before: Kept, again: Answer, terms: _Terms, environment: Plain) -> Answer:
        """An answer that was kept, signed anew, and with a receipt of its own."""
        answer = self._signed(again, view, terms.given)
        kept = before if _says_the_same(answer, before.answer) else keep(answer)
        asked = Asked(terms.given, view.revision, environment, cached=True, who=terms.who)
        return self._with_receipt(view, answer, kept, asked)

    def _with_receipt(self, view: View, answer: Answer, kept: Kept, asked: Asked) -> Answer:
        """The answer with its receipt, or with a notice where the receipt could not be stored."""
        with view.space.watch.steps.taking("receipt"):
            stored = _quietly(lambda: store_answer(self.receipts, answer, kept, asked))
        return answer if stored else replace(answer, notices=(NOT_STORED, *answer.notices))

    def _report_cost(self, answer: Answer, steps: Steps, *, is_cached: bool) -> None:
        attempt(lambda: self._parts.telemetry.answered(cost_of(answer, steps.timeline(), cached=is_cached)))

    def _environment(self, view: View, mode: str) -> Plain:
        writer = view.language_model if mode in WRITTEN_BY_MODELS else None
        return describe_environment(view.embedder, self._parts.ontology().digest, view.reader, writer)

    def _signed(self, answer: Answer, view: View, given: Filter) -> Answer:
        """The answer with an id and a time of its own, and with notices on cited files that are others now, or of which
        there is a newer revision that the asker may see."""
        cited = sorted({item.source_id for statement in answer.statements for item in statement.citations})
        then, now = view.sources, self._views.sources()
        changed = change_notices([now[name] for name in cited if name in now], Roots.load(self._parts.folder))
        other = [
            f"{printed_name(name)} was indexed again or removed since: its pages may have changed"
            for name in cited
            if _content(then, name) != _content(now, name)
        ]
        asker = Filter(principals=given.principals)
        newer = revision_notices(
            cited, self._parts.generations, lambda name: name in now and is_visible(now[name], asker)
        )
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        has_marks = any(statement.marks for statement in answer.statements)
        marked = [f"{NOT_IN_SOURCE} {MARKED} {answer.model}"] if has_marks else []
        scope = scope_notices(answer.trace.query.filter, given) if answer.trace.query else []
        notices = dict.fromkeys((*scope, *view.faults, *marked, *other, *changed, *newer))
        return replace(answer, notices=tuple(notices), trace_id=uuid.uuid4().hex, timestamp=moment)

    def _cached(self, view: View, key: str, question: str) -> tuple[Kept, Answer] | None:
        """What was kept of the answer that was given to the same question lately, and the answer once more."""
        started = time.perf_counter()
        cache = _quietly(lambda: self._cache)
        if cache is None:
            return None
        with view.space.watch.steps.taking("cache"):
            kept = _quietly(lambda: cache.find(key, lambda content: restore(content, view.record.chunks)))
        if kept is None or kept.answer.trace.query is None:
            return None
        query = replace(kept.answer.trace.query, text=question)
        trace = replace(kept.answer.trace, query=query, timings_ms={"cache": _milliseconds(started)})
        return kept, replace(kept.answer, query=question, trace=trace)

    def _keep(self, key: str, content: bytes) -> None:
        if self._cache is not None:
            self._cache.keep(key, content)


def _composer(mode: str) -> Callable[[Retrieval, RetrievalPolicy, Surroundings], Answer]:
    """What makes the answer of a mode of `settings.MODES`; what asks a language model is loaded where one is asked."""
    if mode not in WRITTEN_BY_MODELS:
        return compose_answer
    from pincite.answer.modes.agentic import agentic_answer
    from pincite.answer.modes.generate import auto_answer, generated_answer
    from pincite.answer.modes.review import reviewed_answer

    known = {"generate": generated_answer, "agentic": agentic_answer, "auto": auto_answer, "follow": reviewed_answer}
    return known[mode]


def _composed(view: View, question: str, terms: _Terms) -> Answer:
    """Search and answer, with the time that the rules took. The view has seen to what is asked of the past."""
    given = replace(terms.given, as_of=None)
    retrieval = search_naming(view.space, question, terms.policy, given)
    with view.space.watch.timing("answer"):
        answer = _answered(view, retrieval, terms)
    timings = dict(view.space.watch.timings_ms)
    return replace(answer, trace=replace(answer.trace, query=retrieval.query, timings_ms=timings))


def _with_triplets(view: View, found: Retrieval) -> Retrieval:
    """What was found, with what it says of the names of the question."""
    around = surroundings_of(view, found.query.filter)
    return replace(found, triplets=triplets_of_results(around, found.query.search_text, found.evidence, {}))


def _answered(view: View, retrieval: Retrieval, terms: _Terms) -> Answer:
    """The answer that the evidence gives in a mode; by the cheaper signals alone where the reader cannot be used, or
    not in time."""
    around, compose = surroundings_of(view, retrieval.query.filter), _composer(terms.mode)
    try:
        return compose(retrieval, terms.policy, around)
    except ServiceError as error:
        view.faults.append(str(error))
    answer = compose(retrieval, terms.policy, replace(around, reader=None))
    return replace(answer, degraded=(*answer.degraded, RERANKER_SILENT))


def _as_then(view: View, receipt: Receipt) -> View:
    """The view without the models that an answer was made without, and with what its language model said then."""
    kept, described = receipt.answer or {}, (receipt.environment or {}).get("language_model")
    model = (
        ReplayedModel(described, [from_plain(Call, call) for call in kept.get("calls", ())], most_tokens)
        if described
        else None
    )
    return _without(replace(view, language_model=model), (receipt.output or {})["degraded"])


def _without(view: View, degraded: Collection[str]) -> View:
    """The view without the models that an answer was made without."""
    if EMBEDDER_SILENT in degraded:
        view = replace(view, space=replace(view.space, embed=lambda _: None))
    if RERANKER_SILENT in degraded:
        view = replace(view, reader=MissingReader(ServiceError("the answer was made without a reranker")))
    return view


def _watched(view: View, steps: Steps, heard: Callable[[str], None] | None = None) -> View:
    """The view with a watch of the question that is asked in it."""
    return replace(view, space=replace(view.space, watch=Stopwatch(heard=heard, steps=steps)))


def _visible(view: View, retrieval: Retrieval) -> Retrieval:
    """Those hits that the asker may still see."""
    allowed, find = view.space.allowed(retrieval.query.filter), view.pinned.ordinals.find

    def seen(items: Sequence[Evidence]) -> tuple[Evidence, ...]:
        placed = ((item, find(item.chunk.chunk_id)) for item in items)
        return tuple(item for item, place in placed if place is not None and (allowed is None or allowed[place]))

    return replace(retrieval, evidence=seen(retrieval.evidence), beyond=seen(retrieval.beyond))


def surroundings_of(view: View, wanted: Filter) -> Surroundings:
    """What composition may look up in a view through a filter."""
    allowed = view.space.allowed(wanted)
    return Surroundings(
        view.generation,
        view.space,
        view.record,
        view.documents,
        allowed,
        view.ontology,
        reader=view.reader,
        language_model=view.language_model,
        deadline=view.deadline,
    )


def _cache_key(view: View, question: str, terms: _Terms, environment: Plain) -> str:
    """A digest of all that an answer depends on: equal keys mean equal bytes."""
    query = parse_query(question, view.space.languages, replace(terms.given, as_of=None), view.space.visible_sources)
    allowed = view.space.allowed(query.filter)
    scope = None if allowed is None else hashlib.sha256(np.packbits(allowed).tobytes()).hexdigest()
    parts = (query.search_text, query.filter, terms.policy, terms.mode, scope, view.generation, environment)
    return hashlib.sha256(canonical([to_plain(part) for part in parts])).hexdigest()


def _checked_question(question: str) -> str:
    """The question; bytes of it that the locale could not decode are read as UTF-8."""
    if not question.strip():
        raise UsageError("the question is empty: ask one in words")
    try:
        return question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError as error:
        raise UsageError(f"the question holds no text at character {error.start}: ask one in words") from error


def _says_the_same(answer: Answer, before: Answer) -> bool:
    """Whether an answer from the cache was asked for in the same words, and nothing has to be said beside it since."""
    return (answer.query, answer.notices) == (before.query, before.notices)


def _content(sources: Mapping[str, Source], source_id: str) -> str | None:
    source = sources.get(source_id)
    return None if source is None else source.content_sha256


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)


def _quietly(action: Callable[[], _Result]) -> _Result | None:
    """What the action gives; None where what keeps answers and receipts cannot be used: that never stops a question."""
    try:
        return action()
    except (StoreError, ServiceError):
        return None
