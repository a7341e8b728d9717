"""What does the evidence say, in sentences that each name their page?

In: a question and its evidence. Out: a verified answer with citations, and what was not found.
Never: states what no quote holds, or writes anything.
"""
