"""Which chunks are evidence for this question?

In: a question, a filter, a policy and an open generation. Out: evidence, best first, and a trace of
how it came about.
Never: writes anything, reads a clock or a random number for a ranking, or shows what the filter shuts out.
"""
