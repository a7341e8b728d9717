"""What was asked, and what was it answered from?

In: questions, hits and answers that are done. Out: receipts that can be listed and compared.
Never: touches the record, and never stands between a question and its answer: what fails here is a notice.
"""
