"""How do things that are named hang together?

In: statements and triplets. Out: paths, supporting triplets, what other documents say to it.
Never: adds what no quote holds.
"""
