"""What does the person at the terminal want?

In: arguments. Out: calls of the engine, text or JSON on stdout, one line on stderr where something went
wrong, an exit code.
Never: does work of its own.
"""
