"""Which tools has a chat program that wants to know what the documents say? (Model Context Protocol)

In comes a call of a tool; out goes what a bound asker may see, bounded, and marked as data. No tool has an effect.
"""
