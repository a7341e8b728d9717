"""Reranking services of this machine that count words, in the two ways in which they are spoken to."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from tests.support.services import JsonService

from pincite_testing.memory_reranker import MemoryReranker


class RerankingService(JsonService):
    """Answers as Text Embeddings Inference does where it is given `texts`, as vLLM does for the model `known` where it
    is given `documents`; the best first, as both do. Keeps what it was asked."""

    heard: ClassVar[list[tuple[str, str | None, dict[str, Any]]]] = []

    def serve(self) -> None:
        """Answer with the shares of common words."""
        asked = self.asked()
        self.heard.append((self.path, self.headers["Authorization"], asked))
        is_inference_server = "texts" in asked and "model" not in asked
        if not is_inference_server and asked.get("model") != "known":
            self.answer({"error": "model not found"}, 404)
            return
        texts = asked["texts"] if is_inference_server else asked["documents"]
        scores = MemoryReranker().scores(asked["query"], texts).tolist()
        best = sorted(range(len(texts)), key=lambda place: -scores[place])
        if is_inference_server:
            self.answer([{"index": place, "score": scores[place]} for place in best])
        else:
            shares = [1 / (1 + math.exp(-score)) for score in scores]
            self.answer({"results": [{"index": place, "relevance_score": shares[place]} for place in best]})
