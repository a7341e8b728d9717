"""How do sources become a published generation?

In: paths, manifests, or documents that were read elsewhere. Out: editions in the record, a generation, a report.
Never: answers a question, or keeps a file's text that the record does not hold.
"""
