"""What words, sentences and numbers does this text hold?

In: strings. Out: normalised text with maps back, tokens, sentences, languages, numbers with units.
Never: opens a file, reads a clock, holds state, or knows what a page or a document is.
"""
