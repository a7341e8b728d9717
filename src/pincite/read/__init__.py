"""What stands in this file, and on which page?

In: the path of one file and ReadOptions. Out: a Document of pages with canonical text, blocks, tables, labels
and outline, or a ReadError with a one-line reason. It never interprets what it reads (sections, references and
answers are other rooms), never fetches anything, never executes anything of a file, and never lets a hostile
file reach further than its sandboxed process.
"""
