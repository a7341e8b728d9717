"""Which model turns text into vectors, says how well it answers, reads triplets out of it, or goes on with it?

In: texts. Out: unit vectors, scores of texts beside a question, what sentences say of two things, or the answer to a
prompt; from local weights (onnxruntime, spaCy, ReLiK) or from a service (Ollama, OpenAI-compatible). Never: opens a
store, splits a document, fetches weights, or believes what a language model says.
"""
