"""How do sources become a published generation?

In: paths or documents, and the adapters that `wiring` chose. Out: editions in the record, a generation, a report.
Never: answers a question, or lets one broken file stop the others.
"""
