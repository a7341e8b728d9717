"""Where is everything kept, so that nothing is half written?

In: editions, vectors, hits. Out: the record (SQL), generations of derived indexes, receipts.
Never: decides what is read, how text is cut, or what an answer says.
"""
