"""What can be said at all?

In: the evidence. Out: passages, sentences, rows of tables, and what may be looked up beyond them.
Never: words a statement.
"""
