"""Mails: headers, the text of the message, and attachments that are never passed over in silence."""

from __future__ import annotations

import hashlib
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.support.office_files import blocks, read

from pincite.errors import ReadError
from pincite.read.mail import attached_files
from pincite.read.opening import opened


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
    assert blocks(document, "paragraph") == [
        "From: Änne <anne@example.com>\nTo: bob@example.com\nSubject: Snow – roof",
        "The load is 2 kN.",
        "Regards",
    ]
    assert document.title == "Snow – roof"
    assert [block.locator for block in document.pages[0].blocks] == ["par. 1", "par. 2", "par. 3"]


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
