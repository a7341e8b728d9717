"""Where do the record and its indexes live?

In: editions, vectors, tokens. Out: the record (SQL, the truth), the derived indexes and their generations.
Never: decides what to store or how to rank; changes an edition or a published generation in place.
"""
