"""The contract of a RateLimit (needs pytest).

Subclass `RateLimitContract` as a class whose name starts with `Test`, and let `make` give a limit of so many requests a
minute that nobody has used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from pincite.ports import RateLimit


class RateLimitContract(ABC):
    """What every limit does."""

    @abstractmethod
    def make(self, a_minute: int) -> RateLimit:
        """A limit of so many requests a minute."""

    def test_a_minutes_requests_may_come_at_once(self) -> None:
        """Then each has to wait for its share of the minute."""
        limit = self.make(6)
        assert [limit.wait("ada") for _ in range(6)] == [0.0] * 6
        assert 5 < limit.wait("ada") <= 10

    def test_callers_do_not_share(self) -> None:
        """Whatever they are called."""
        limit = self.make(1)
        assert [limit.wait(who) for who in ("ada", "bo", "", "Größe 日本語\n")] == [0.0] * 4
        assert limit.wait("Größe 日本語\n") > 0

    def test_to_be_turned_down_makes_nobody_wait_longer(self) -> None:
        """What is not let in is not counted."""
        limit = self.make(1)
        assert limit.wait("ada") == 0.0
        assert all(0 < limit.wait("ada") <= 60 for _ in range(20))
