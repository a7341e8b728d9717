"""Mails: headers, the text of the message, and attachments that are never passed over in silence."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.support.office_files import blocks, read

from pincite.errors import ReadError
from pincite.read.mail import attached_files
from pincite.read.nested_files import opened


def mail(body: str = "The load is 2 kN.\n\nRegards") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Änne <anne@example.com>"
    message["To"] = "bob@example.com"
    message["Subject"] = "Snow – roof"
    message.set_content(body)
    return message


def saved(path: Path, message: EmailMessage) -> Path:
    path.write_bytes(message.as_bytes())
    return path


def test_headers_come_first_and_then_the_text(tmp_path: Path) -> None:
    document = read(saved(tmp_path / "a.eml", mail()))
    assert blocks(document, "heading") == ["From: Änne <anne@example.com>"]
    assert blocks(document, "paragraph") == [
        "To: bob@example.com\nSubject: Snow – roof",
        "The load is 2 kN.",
        "Regards",
    ]
    assert document.title == "Snow – roof"
    assert [block.locator for block in document.pages[0].blocks] == ["par. 1", "par. 2", "par. 3", "par. 4"]


def whose(path: Path) -> dict[str, list[str]]:
    """The paragraphs of a mail by the heading that they stand under."""
    found: dict[str, list[str]] = {}
    page = read(path).pages[0]
    author = ""
    for block in page.blocks:
        text = page.text[block.span.start : block.span.end]
        if block.kind == "heading":
            author = text
        else:
            found.setdefault(author, []).append(text)
    return found


def test_what_a_mail_quotes_belongs_to_whoever_wrote_it(tmp_path: Path) -> None:
    body = (
        "I agree.\nOn 3 May 2026, Bob Reed <bob@example.com>\nwrote:\n> The pump is loud.\n>\n"
        "> On 2 May 2026, Cy Dale wrote:\n>> It was quiet in March.\n> It hums too.\nI heard that.\n"
    )
    assert whose(saved(tmp_path / "a.eml", mail(body))) == {
        "From: Änne <anne@example.com>": ["To: bob@example.com\nSubject: Snow – roof", "I agree.", "I heard that."],
        "On 3 May 2026, Bob Reed <bob@example.com>\nwrote:": ["The pump is loud.", "It hums too."],
        "On 2 May 2026, Cy Dale wrote:": ["It was quiet in March."],
    }


def test_what_is_quoted_without_a_name_is_told_apart(tmp_path: Path) -> None:
    body = "> The pump is loud.\n\nIt is not: he wrote in anger:\n\nIt hums."
    found = whose(saved(tmp_path / "a.eml", mail(body)))
    assert found["Quoted:"] == ["The pump is loud."]
    assert found["From: Änne <anne@example.com>"][1:] == ["It is not: he wrote in anger:", "It hums."]


def test_a_mail_that_is_quoted_as_a_whole_belongs_to_its_sender(tmp_path: Path) -> None:
    body = (
        "Yes.\n\n-----Original Message-----\nFrom: Cy Dale\nSent: Monday, 4 May 2026\nTo: Änne\nSubject: Pump\n\n"
        "Shall we mend it?\n"
    )
    assert whose(saved(tmp_path / "a.eml", mail(body)))["From: Cy Dale"] == [
        "Sent: Monday, 4 May 2026\nTo: Änne\nSubject: Pump",
        "Shall we mend it?",
    ]
    page = mail()
    page.set_content(
        "<p>Yes.</p><div><b>From:</b> Cy Dale<br><b>Sent:</b> Monday</div><p>Mend it?</p>"
        "<p>On 1 May 2026, Di Ash wrote:</p><blockquote><p>It leaks.</p></blockquote><p>Soon.</p>",
        subtype="html",
    )
    found = whose(saved(tmp_path / "b.eml", page))
    assert found["From: Cy Dale"] == ["Sent: Monday", "Mend it?", "Soon."]
    assert found["On 1 May 2026, Di Ash wrote:"] == ["It leaks."]


def test_plain_text_is_preferred_to_html_and_html_is_read_where_it_is_alone(tmp_path: Path) -> None:
    both = mail("plain words")
    both.add_alternative("<p>html words</p>", subtype="html")
    assert "html words" not in read(saved(tmp_path / "both.eml", both)).pages[0].text
    alone = mail()
    alone.set_content("<p>html <b>words</b></p><script>x</script>", subtype="html")
    assert blocks(read(saved(tmp_path / "alone.eml", alone)), "paragraph")[1:] == ["html words"]


def test_what_a_mail_server_reports_of_a_delivery_is_text(tmp_path: Path) -> None:
    report = (
        "From: daemon@example.com\nSubject: Not delivered\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nYour mail came back.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.com\n\n"
        "Final-Recipient: rfc822; bob@example.com\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n"
        "--b--\n"
    )
    path = tmp_path / "a.eml"
    path.write_text(report, encoding="utf-8")
    document = read(path)
    assert blocks(document, "paragraph")[1:] == [
        "Your mail came back.",
        "Reporting-MTA: dns; mx.example.com",
        "Final-Recipient: rfc822; bob@example.com\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user",
    ]
    assert document.members == ()


def test_attachments_are_named_and_handed_out_without_their_folders(tmp_path: Path) -> None:
    message = mail()
    message.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="../../evil.pdf")
    message.add_attachment("notes", filename="notes.txt")
    message.add_attachment("again", filename="notes.txt")
    inner = EmailMessage()
    inner["Subject"] = "inside"
    message.add_attachment(inner)
    path = saved(tmp_path / "a.eml", message)
    document = read(path)
    names = ["evil.pdf", "notes.txt", "3-notes.txt", "attachment-4.eml"]
    assert [member.name for member in document.members] == names
    attached = attached_files(path)
    assert [attached[name] for name in names[:3]] == [b"%PDF-", b"notes\n", b"again\n"]
    assert b"Subject: inside" in attached[names[3]]
    assert document.members[0].content_sha256 == hashlib.sha256(b"%PDF-").hexdigest()
    assert [member.reader.split()[0] for member in document.members if member.reader] == ["pdf", "text", "text", "mail"]
    assert "notes" not in document.pages[0].text
    with pytest.raises(ReadError, match=r"has no file gone\.txt inside"), opened(path, ("gone.txt",)):
        pass


def test_a_mail_of_an_image_only_says_so(tmp_path: Path) -> None:
    message = mail()
    message.set_content(b"\xff\xd8", maintype="image", subtype="jpeg", filename="a.jpg")
    assert [member.name for member in read(saved(tmp_path / "a.eml", message)).members] == ["a.jpg"]


def test_a_mail_saved_as_utf16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes("From: a@example.com\nSubject: Wide\n\nText here.\n".encode("utf-16"))
    assert read(path).title == "Wide"


def test_endless_nesting_is_refused(tmp_path: Path) -> None:
    lines = ["From: a@example.com", "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b0", ""]
    for level in range(60):
        lines += [f"--b{level}", f"Content-Type: multipart/mixed; boundary=b{level + 1}", ""]
    path = tmp_path / "a.eml"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ReadError, match="nested deeper"):
        read(path)


def test_what_is_no_mail_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_text("\nno headers at all", encoding="utf-8")
    with pytest.raises(ReadError, match="is no mail"):
        read(path)
