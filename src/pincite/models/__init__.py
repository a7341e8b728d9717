"""Which model turns text into vectors, or reads triplets out of it?

In: texts. Out: unit vectors, or what sentences say of two things; from local weights (onnxruntime, spaCy, ReLiK) or
from a service (Ollama, OpenAI-compatible). Never: opens a store, splits a document, or fetches weights.
"""
