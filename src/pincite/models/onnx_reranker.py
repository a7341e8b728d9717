"""A local cross-encoder (ms-marco-MiniLM-L-12-v2, or any of BERT, ModernBERT or in ONNX), run by onnxruntime on
CPU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models import bert_graph, modernbert_graph
from pincite.models.checkpoint import Weights, load_tensors
from pincite.models.sessions import Feed, checked_tokenizer, fed, open_graph, open_session, run, side_by_side
from pincite.models.weights import RerankerFiles
from pincite.threads import Lazy


def open_cross_encoder(files: RerankerFiles) -> tuple[Any, list[Any]]:
    """The session, which runs a call on one thread, and the weights that it reads in place: they must live as long as
    it does. ServiceError where the folder holds no cross-encoder that can be read."""
    if files.weights.suffix == ".onnx":
        return open_session(files.weights, threads=1), []
    graph, weights = _built(files, load_tensors(files.weights))
    return open_graph(graph, weights, 1, files.weights)


def _built(files: RerankerFiles, tensors: Mapping[str, NDArray[np.float32]]) -> tuple[bytes, Weights]:
    try:
        if files.config.get("model_type") == "modernbert":
            shape = modernbert_graph.ModernBertShape.from_config(files.config)
            weights = modernbert_graph.arrange_weights(tensors, shape)
            return modernbert_graph.build_cross_encoder(shape, weights), weights
        bert = bert_graph.BertShape.from_config(files.config)
        weights = bert_graph.arrange_weights(tensors, bert) | bert_graph.arrange_head(tensors)
        return bert_graph.build_cross_encoder(bert, weights), weights
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ServiceError(
            f"{files.folder / 'config.json'} does not say what its model needs ({error!r}): save it anew"
        ) from error


class OnnxReranker:
    """Reads a question beside a text, one pair a call: dynamic quantisation looks at a whole batch, so that a pair has
    the same bits only alone. `threads` calls of one thread run side by side (0: one for each core). The model opens
    when first asked (docs/decisions/0110). Deadlines are checked between pairs."""

    def __init__(self, files: RerankerFiles, *, threads: int = 0) -> None:
        self.name, self.digest = files.name, files.digest
        self._files = files
        self._threads = side_by_side(threads)
        self._opened = Lazy(lambda: open_cross_encoder(files))
        self._tokenizer = Lazy(lambda: checked_tokenizer(files))

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """(texts,) raw logits, float32, higher where a text answers better; ServiceError where the files hold no
        cross-encoder."""
        deadline.check(self.name)
        feeds = self._feeds(question, texts) if texts else []
        longest_first = sorted(range(len(feeds)), key=lambda place: -feeds[place]["input_ids"].size)
        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(lambda place: self._score(feeds[place], deadline), longest_first))
        scores = np.empty(len(feeds), dtype=np.float32)
        scores[longest_first] = found
        return scores

    def _session(self) -> Any:
        session, _ = self._opened()
        return session

    def _feeds(self, question: str, texts: Sequence[str]) -> list[Feed]:
        """What the model is given for each pair. A question has half of the window at most, a text what is left."""
        tokenizer = self._tokenizer()
        room = self._files.window - tokenizer.num_special_tokens_to_add(is_pair=True)
        asked, *rest = tokenizer.encode_batch([question, *texts], add_special_tokens=False)
        asked.truncate(room // 2)
        for text in rest:
            text.truncate(room - len(asked.ids))
        pairs = (tokenizer.post_process(asked, text) for text in rest)
        return [fed(self._session(), pair.ids, pair.type_ids) for pair in pairs]

    def _score(self, feed: Feed, deadline: Deadline) -> np.float32:
        deadline.check(self.name)
        logits = run(self._session(), feed, self._files.folder)
        if logits.ndim != 2 or logits.shape[1] not in (1, 2):
            raise ServiceError(
                f"{self._files.folder} holds no cross-encoder (its output has the shape {logits.shape}): "
                "give another --reranker, or --reranker none"
            )
        return np.float32(logits[0, -1] - logits[0, 0] if logits.shape[1] == 2 else logits[0, 0])
