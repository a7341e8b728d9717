"""What did a question cost, and who is told of it?

In comes a finished answer; out goes the record of what it cost, to whatever telemetry `wiring` has handed in. It never
changes an answer, and never costs one.
"""
