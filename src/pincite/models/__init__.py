"""Which model turns text into vectors, says how well it answers, or reads triplets out of it?

In: texts. Out: unit vectors, scores of texts beside a question, or what sentences say of two things; from local weights
(onnxruntime, spaCy, ReLiK) or from a service (Ollama, OpenAI-compatible). Never: opens a store, splits a document, or
fetches weights.
"""
