"""The files of the web page: the same for everybody, only those there are, and nothing in them that could run a script
of a document or reach another host."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from tests.support.served import Served

WEB = files("pincite.serve").joinpath("web")
NAMES = sorted(file.name for file in WEB.iterdir())
TEXTS = {name: WEB.joinpath(name).read_text(encoding="utf-8") for name in NAMES}

OF_VIEWER = {
    f"{name}.js" for name in ("find", "marks", "original", "quotes", "roll", "split", "viewer", "words", "zoom")
}


@pytest.mark.parametrize("url", ["/", *(f"/web/{name}" for name in NAMES)])
def test_every_file_has_the_policy_of_the_page_and_a_tag(service: Served, url: str) -> None:
    found = service.client.get(url)
    assert found.status_code == 200
    policy = found.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"} <= set(policy)
    assert not {"unsafe-inline", "unsafe-eval", "*"} & set(
        re.findall(r"[\w*-]+", found.headers["Content-Security-Policy"])
    )
    assert found.headers["X-Frame-Options"] == "DENY"
    again = service.client.get(url, headers={"If-None-Match": found.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_no_page_keeps_the_policy_that_allows_nothing(service: Served) -> None:
    assert "script-src" not in service.client.get("/health").headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "name", ["", "nothing.js", "..%2fpage.py", "..%2f..%2frecords.py", "%2e%2e", "main.js%00", "MAIN.JS"]
)
def test_there_are_no_other_files(service: Served, name: str) -> None:
    found = service.client.get(f"/web/{name}")
    assert found.status_code == 404
    assert "error" in found.json()


def test_no_file_holds_what_makes_markup_or_leaves_the_host() -> None:
    markup = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|srcdoc"
    )
    outside = re.compile(r"https?://(?!www\.w3\.org/2000/svg)|[\"'(]//\w")
    assert [
        (name, found[0]) for name, text in TEXTS.items() if (found := markup.search(text) or outside.search(text))
    ] == []


def test_scripts_are_small() -> None:
    sizes = {name: len(text.encode()) for name, text in TEXTS.items() if name.endswith(".js")}
    assert sum(size for name, size in sizes.items() if name not in OF_VIEWER) < 150_000
    assert set(sizes) > OF_VIEWER


def test_the_page_holds_no_script_or_style_of_its_own_and_names_files_that_are_there() -> None:
    page = TEXTS["index.html"]
    assert re.findall(r"<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle=|\son\w+=", page) == []
    named = set(re.findall(r'(?:src|href)="/web/([^"]+)"', page))
    named |= {name for text in TEXTS.values() for name in re.findall(r'from "\./([\w.]+)"', text)}
    assert named | {"index.html"} == set(NAMES)
