"""What does the question ask for?

In: the words of a question. Out: the kind of answer, its names, its measures. Never: looks at a document.
"""
