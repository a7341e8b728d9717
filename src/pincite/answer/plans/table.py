"""All plans in one table: tried in this order, the first that finds something opens the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pincite.answer.material.case import Case
from pincite.answer.plans.accounts import accounted
from pincite.answer.plans.aspects import told_apart
from pincite.answer.plans.branches import branched
from pincite.answer.plans.bridges import bridged
from pincite.answer.plans.causes import caused
from pincite.answer.plans.classes import classified
from pincite.answer.plans.compare import compared
from pincite.answer.plans.definitions import defined
from pincite.answer.plans.duties import duties
from pincite.answer.plans.entries import entered, keyed
from pincite.answer.plans.lists import listed, stepped
from pincite.answer.plans.sections import located, recited
from pincite.answer.plans.tables import looked_up
from pincite.answer.plans.thresholds import thresholded
from pincite.records.answers import Statement

Behind = Literal["units", "units behind one", "units on the measure", "nothing"]


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to open an answer.

    `find` gives its statements, none where the question is of another kind or nothing is found. `whole`: it answers a
    question of several parts as a whole. `behind`: what may stand behind it: units; units where it says one
    thing alone; units of its documents that name the asked measure; nothing, since it is complete. `by_words`: it
    takes what shares most words with the question, so that a unit which means more may come first.
    """

    name: str
    find: Callable[[Case], list[Statement]]
    behind: Behind = "units"
    whole: bool = False
    by_words: bool = False


PLANS: tuple[Plan, ...] = (
    Plan("duties", duties, whole=True),
    Plan("recited", recited, "nothing", whole=True),
    Plan("stepped", stepped, "nothing"),
    Plan("located", located, "nothing"),
    Plan("told_apart", told_apart, "nothing", whole=True),
    Plan("caused", caused, "units behind one", by_words=True),
    Plan("accounted", accounted, "units on the measure"),
    Plan("compared", compared, whole=True),
    Plan("keyed", keyed),
    Plan("entered", entered, "units behind one"),
    Plan("defined", defined, "units behind one"),
    Plan("thresholded", thresholded),
    Plan("bridged", bridged),
    Plan("branched", branched, "nothing"),
    Plan("classified", classified),
    Plan("looked_up", looked_up, by_words=True),
    Plan("listed", listed, "nothing", by_words=True),
)
