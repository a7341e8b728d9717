"""Which sections, anchors and references does this document have?

In: a Document. Out: its sections in reading order, what can be pointed to, and the references as written; for the
outlines of several documents, where each reference leads.
Never: opens a file, reads a clock, or holds state.
"""
