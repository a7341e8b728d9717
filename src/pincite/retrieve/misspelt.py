"""A name that a question writes a letter or two off is searched as the documents write it."""

from __future__ import annotations

from dataclasses import replace
from string import capwords

import numpy as np

from pincite.graph.concepts import find_concepts
from pincite.graph.network import EntityNetwork
from pincite.ports import Bitmap
from pincite.records.questions import Query
from pincite.text.tokens import tokenise_for


def with_names_mended(query: Query, network: EntityNetwork, allowed: Bitmap | None) -> Query:
    """The query with the name of a visible chunk in the place of each misspelt one; its text stays as it was asked."""
    text = query.search_text
    for concept in reversed(find_concepts(network, text, query.languages)):
        if concept.misspelt and is_named(network, concept.entity, allowed):
            text = text[: concept.start] + capwords(network.name(concept.entity)) + text[concept.end :]
    if text == query.search_text:
        return query
    return replace(query, search_text=text, tokens=tuple(tokenise_for(text, query.languages)))


def is_named(network: EntityNetwork, entity: int, allowed: Bitmap | None) -> bool:
    """Whether a visible chunk names the entity."""
    return allowed is None or bool(allowed[network.chunks.of_nodes(np.array([entity], np.int64))[1]].any())
