"""What pincite writes as Markdown holds the words of documents as words."""

from __future__ import annotations

from pincite.rendering import plain_text


def test_attributes_that_some_renderers_take_from_braces_are_words() -> None:
    assert plain_text('Snow {: onclick="melt()"}') == 'Snow \\{: onclick="melt()"}'
