"""A local late-interaction model (answerai-colbert-small-v1) in ONNX, run by onnxruntime on CPU."""

from __future__ import annotations

import string
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.sessions import checked_tokenizer, fed, open_session, side_by_side
from pincite.models.weights import RerankerFiles
from pincite.once import Once
from pincite.ports import TokenMatches

QUESTION_MARK, TEXT_MARK = "[unused0]", "[unused1]"
"""The tokens that the model was trained to find behind the first, in questions and in texts."""
ADDED = 3
"""Tokens around a text: the first, its mark, the last."""
LONGEST_QUESTION = 64
"""Tokens of a question; what is asked for seldom stands behind them."""


class OnnxLateInteraction:
    """Reads question and text apart, one a call: dynamic quantisation looks at a whole batch. Tokens are compared by
    their last hidden states, normalised; punctuation and the tokens that the model adds count in no text. One thread a
    call, `threads` calls side by side (0: one for each core). The model is opened when first asked
    (docs/decisions/0111). A deadline is looked at between calls: one that is under way, and the opening of the model,
    go to their end."""

    def __init__(self, files: RerankerFiles, *, threads: int = 0) -> None:
        self.name = files.name
        self.digest = files.digest
        self._files = files
        self._threads = side_by_side(threads)
        self._session = Once(lambda: open_session(files.folder / "model.onnx", threads=1))
        self._tokenizer = tokenizer = Once(lambda: checked_tokenizer(files))
        self._punctuation = Once(lambda: _punctuation_of(tokenizer()))

    def matches(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> list[TokenMatches]:
        """The matches of each text; ServiceError where the files hold no such model."""
        deadline.check(self.name)
        if not texts:
            return []
        read = self._cut(question, LONGEST_QUESTION).ids
        is_word = np.array([*[False] * (ADDED - 1), *self._are_words(read), False])
        cut = [self._cut(text, self._files.window) for text in texts]
        longest_first = sorted(range(len(cut)), key=lambda place: -len(cut[place].ids))
        with ThreadPoolExecutor(self._threads) as pool:
            asked = pool.submit(self._states, self._marked(read, QUESTION_MARK))
            found = list(pool.map(lambda place: self._compared(asked, is_word, cut[place], deadline), longest_first))
        ordered = dict(zip(longest_first, found, strict=True))
        return [ordered[place] for place in range(len(cut))]

    def _cut(self, text: str, window: int) -> Any:
        """The tokens of a text that the model has room for, beside those that it adds."""
        encoded = self._tokenizer().encode(text, add_special_tokens=False)
        encoded.truncate(window - ADDED)
        return encoded

    def _marked(self, ids: Sequence[int], mark: str) -> list[int]:
        first, last = (self._tokenizer().token_to_id(token) for token in ("[CLS]", "[SEP]"))
        return [first, self._tokenizer().token_to_id(mark), *ids, last]

    def _states(self, ids: list[int]) -> NDArray[np.float32]:
        """(tokens, dimensions), each of length 1."""
        states = self._session().run(None, fed(self._session(), ids))[0]
        if states.ndim != 3 or states.shape[:2] != (1, len(ids)):
            raise ServiceError(f"{self._files.folder} holds no late-interaction model: give --reranker none")
        return np.asarray(states[0] / np.linalg.norm(states[0], axis=1, keepdims=True), np.float32)

    def _are_words(self, ids: Sequence[int]) -> NDArray[np.bool_]:
        """Which tokens are no punctuation."""
        return ~np.isin(ids, self._punctuation())

    def _compared(
        self, asked: Future[NDArray[np.float32]], is_word: NDArray[np.bool_], text: Any, deadline: Deadline
    ) -> TokenMatches:
        """The words of a text beside all tokens of a question."""
        deadline.check(self.name)
        states, kept = self._states(self._marked(text.ids, TEXT_MARK))[ADDED - 1 : -1], self._are_words(text.ids)
        places = np.array(text.offsets, np.int64).reshape(len(text.ids), 2)
        # a matrix product would wake threads beside the others
        cosines = np.einsum("qd,td->qt", asked.result(), states[kept])
        return TokenMatches(cosines, places[kept], is_word)


def _punctuation_of(tokenizer: Any) -> list[int]:
    found = (tokenizer.token_to_id(sign) for sign in string.punctuation)
    return [number for number in found if number is not None]
