"""Which words, names, dates and amounts does a text hold?

In: a text. Out: what it names, and families of words. Never: knows a question or a document.
"""
