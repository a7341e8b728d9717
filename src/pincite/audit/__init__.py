"""What was asked, and can it be shown again?

In: retrievals and answers. Out: receipts in a store of their own.
Never: searches, changes the record, or looks at a document.
"""
