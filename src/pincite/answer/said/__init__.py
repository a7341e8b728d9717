"""How is a finding said so that its quotes bear it out?

In: passages and words. Out: statements with citations, and the gate that they pass. Never: chooses what is said.
"""
