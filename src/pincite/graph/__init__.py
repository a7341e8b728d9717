"""Which things are named, and what is said of them?

Sentences come in; entities, triplets and walks over their graph go out. Opens no file but its own package data.
"""
