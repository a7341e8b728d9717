"""Which engine turns text into vectors?

In: texts. Out: unit vectors, from local weights (onnxruntime) or from a service (Ollama, OpenAI-compatible).
Never: opens a store, splits a document, or fetches weights.
"""
