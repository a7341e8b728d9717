"""1. No test reaches another machine. 2. Servers of this machine can be tested."""

from __future__ import annotations

import socket

import pytest


def test_connecting_to_another_machine_fails_at_once() -> None:
    with socket.socket() as sock, pytest.raises(Exception, match="a test connects to"):
        sock.connect(("192.0.2.1", 80))


def test_looking_up_a_name_fails_at_once() -> None:
    with pytest.raises(Exception, match="a test looks up"):
        socket.getaddrinfo("example.org", 80)


def test_a_server_of_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
