"""How do other programs, and people in a browser, use all this?

Requests and documents come in, and go to the engine as the session of who asks; JSON, events, pictures and texts go
out. It reads no file of a document and knows no index; who may call which route stands in one table.
"""
