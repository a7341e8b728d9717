"""A local cross-encoder (ms-marco-MiniLM-L-12-v2, or any in ONNX with one or two logits), run by onnxruntime on CPU."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError
from pincite.models.sessions import load_tokenizer, open_session
from pincite.models.weights import RerankerFiles, check_sha256

Feed = dict[str, NDArray[Any]]


class OnnxReranker:
    """Reads a question beside a text, one pair a call: dynamic quantisation looks at a whole batch, so that a pair has
    the same bits only where it is alone in its own. One thread a call, `threads` calls side by side (0: one for each
    core). The model is opened when first asked (docs/decisions/0110)."""

    def __init__(self, files: RerankerFiles, *, threads: int = 0) -> None:
        self.name = files.name
        self.digest = files.digest
        self._files = files
        self._threads = threads or os.cpu_count() or 1

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(texts,) raw logits, float32, higher where a text answers better; ServiceError where the files hold no
        cross-encoder."""
        feeds = self._feeds(question, texts) if texts else []
        longest_first = sorted(range(len(feeds)), key=lambda place: -feeds[place]["input_ids"].size)
        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(lambda place: self._score(feeds[place]), longest_first))
        scores = np.empty(len(feeds), dtype=np.float32)
        scores[longest_first] = found
        return scores

    @cached_property
    def _session(self) -> Any:
        check_sha256(self._files.folder, self._files.sha256)
        return open_session(self._files.folder / "model.onnx", threads=1)

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._files.folder)

    def _feeds(self, question: str, texts: Sequence[str]) -> list[Feed]:
        """What the model is given for each pair. A question has half of the window at most, a text what is left."""
        tokenizer, types = self._tokenizer, {item.name: item.type for item in self._session.get_inputs()}
        room = self._files.window - tokenizer.num_special_tokens_to_add(is_pair=True)
        asked, *rest = tokenizer.encode_batch([question, *texts], add_special_tokens=False)
        asked.truncate(room // 2)
        for text in rest:
            text.truncate(room - len(asked.ids))
        return [_feed(tokenizer.post_process(asked, text), types) for text in rest]

    def _score(self, feed: Feed) -> np.float32:
        logits = self._session.run(None, feed)[0]
        if logits.ndim != 2 or logits.shape[1] not in (1, 2):
            raise ServiceError(
                f"{self._files.folder} holds no cross-encoder (its output has the shape {logits.shape}): "
                "give another --reranker, or --reranker none"
            )
        return np.float32(logits[0, -1] - logits[0, 0] if logits.shape[1] == 2 else logits[0, 0])


def _feed(pair: Any, types: dict[str, str]) -> Feed:
    """The inputs that a model names, (1, tokens) each, in the type that it wants."""
    known = {"input_ids": pair.ids, "attention_mask": pair.attention_mask, "token_type_ids": pair.type_ids}
    return {
        name: np.array([known[name]], dtype=np.int32 if "int32" in kind else np.int64) for name, kind in types.items()
    }
