"""In which other ways than by one pass of rules is an answer made?

In: a draft of the rules. Out: an answer, each statement of it through the same gate.
Never: says what no quote bears out.
"""
