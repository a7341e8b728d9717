"""How does a team ask over HTTP, and who may see what?

Requests come in, and go to the engine as the session of who asks; JSON, events and pictures go out. It reads no file of
a document and knows no index; who may call which route stands in one table.
"""
