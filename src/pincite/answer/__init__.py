"""What does the evidence say, sentence by sentence?

In: a question and its evidence. Out: statements, each with the quotes and pages that it stands on,
and what is missing.
Never: searches by itself, writes anything, or lets a statement pass that its quotes do not bear out.
"""
