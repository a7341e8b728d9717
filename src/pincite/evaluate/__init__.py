"""How good are retrieval and answers, measured?

In: a set with gold judgements, or a folder of documents with questions. Out: measures with their intervals, as a
table, as JSON and as docs/measurements.md.
Never: looks behind the engine, tunes anything, or stores receipts.
"""
