"""In which other ways than by one pass of rules is an answer made?

Comes in: what was found for a question, and what may be looked up beside it. Goes out: an answer whose every statement
passed the gate. Never: a word that its quotes do not bear out, a citation that was not given.
"""
