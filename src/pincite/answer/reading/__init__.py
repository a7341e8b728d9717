"""Does this answer the question?

In: a question and what could be said. Out: what is said, what stays out, and refusals. Never: words of its own.
"""
