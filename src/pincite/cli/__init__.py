"""How does a person at a terminal use all this?

In: arguments. Out: text on a terminal or in a pipe, JSON, an exit code.
Never: does anything that the Engine cannot do for others too.
"""
