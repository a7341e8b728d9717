"""How does an answer look in a file?

In: a sheet of questions, and a way to ask one of them. Out: one report of all answers as XLSX, DOCX, Markdown or HTML,
the same bytes whether the run was cut off or not. It never answers anything itself, and writes nothing that a
spreadsheet or a browser could take for a command.
"""
