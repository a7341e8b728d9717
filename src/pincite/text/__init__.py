"""How is text cut into words and sentences, whatever its language?

In: strings. Out: tokens, sentence bounds, mended views with a map back, the language of a text.
Never: opens a file, keeps state, or knows what a document is.
"""
