"""How is an answer made by more than one reading of the evidence: by a language model, which is believed nothing?

Comes in: what was found for a question, and what may be looked up beside it. Goes out: an answer whose every statement
passed the gate. Never: a word of a language model that its quotes do not bear out, a citation that was not given.
"""
