"""`pincite sections [DOC]`"""

from __future__ import annotations

import argparse

from pincite.cli.common import add_asker, add_common, open_session, print_json
from pincite.places import Tree, document_ids, find_document, page_mark, section_tree
from pincite.printing import printable, printed_name
from pincite.records.outlines import Section
from pincite.rendering import plain_tree

INDENT = "  "


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "sections",
        help="the section tree of a document, or of all",
        description="The sections of one document or of all: number, title, page (and its printed number).",
    )
    parser.add_argument("document", metavar="DOC", nargs="?", help="its name or part of it (default: all documents)")
    parser.add_argument("--level", metavar="N", type=int, help="no deeper than this")
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the trees; exit code 1 where there are no sections, or no such document."""
    with open_session(arguments) as session:
        wanted = [find_document(session, arguments.document)] if arguments.document else document_ids(session)
        trees = [section_tree(session, source_id, arguments.level) for source_id in wanted]
    if arguments.json:
        print_json([plain_tree(tree) for tree in trees])
    else:
        print("\n\n".join(map(_printed, trees)))
    return 0 if any(tree.sections for tree in trees) else 1


def _printed(tree: Tree) -> str:
    lines = [_line(section, tree) for section in tree.sections] or [f"{INDENT}no sections"]
    return "\n".join([printed_name(tree.source_id), *lines])


def _line(section: Section, tree: Tree) -> str:
    name = " ".join(printable(part) for part in (section.number, section.title) if part) or "(no title)"
    mark = page_mark(section.first_page, tree.labels.get(section.first_page), paged=tree.paged)
    return f"{INDENT * section.level}{name}{INDENT}{mark}".rstrip()
