"""Which sections, anchors and references does this document have?

In: a Document. Out: its sections in reading order, what can be pointed to, and the references as written.
Never: opens a file, reads a clock, holds state, or looks into a second document.
"""
