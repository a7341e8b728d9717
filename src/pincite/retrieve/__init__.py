"""Which pieces of text speak to this question?

In: a question, filters, a policy. Out: evidence in order, each with the channels that found it and their scores.
Never: writes anything, or words an answer.
"""
