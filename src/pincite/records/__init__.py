"""What do the rooms hand to each other?

Frozen records without behaviour, a file for each subject. Never: anything that reads, counts or decides.
"""
