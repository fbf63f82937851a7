"""What each adapter tells: its heads and their labels, in the order in which the heads give them.

What the labels mean is in train/data/README.md. The order is written into an adapter's metadata; the C++ side reads it
from there and knows no list of its own.
"""

import dataclasses

TYPES = ("lookup_incident", "application_incidents", "recent_incidents", "similar_incidents", "debug_incident",
         "explain_code", "design_overview", "conceptual", "knowledge", "ambiguous", "off_topic", "follow_up")
GUARDS = ("ordinary", "ask_back", "off_topic", "injection", "secrets", "harmful", "destructive")
RELATIONS = ("new", "last_answer", "earlier", "corrects", "narrows", "goes_back", "chatter")
ASKS = ("cause", "fix", "steps", "value", "owner", "duration", "count", "list", "comparison", "when", "status",
        "impact", "location", "definition", "explanation", "precedent", "change", "summary")
KINDS = ("system", "endpoint", "metric", "time", "error", "version", "person", "limit")
# Of a word piece: outside, the beginning of a span of a kind, inside one.
TAGS = ("O",) + tuple(f"{part}-{kind}" for kind in KINDS for part in "BI")
# What is to be computed over past records: of each of them (extreme, list) or of groups of them.
TALLIES = {"function": ("none", "count", "sum", "average", "extreme", "list"), "pick": ("none", "most", "least"),
           "of": ("none", "records", "duration", "number", "date"),
           "by": ("none", "month", "week", "weekday", "hour", "year", "column"), "state": ("any", "open", "closed")}
# How a question restricts records by a value of a column, or by the column itself.
SAYS = ("none", "is", "not", "more", "less", "at_least", "at_most", "empty", "filled", "most", "least")
VERDICTS = ("supported", "contradicted", "not_stated")


@dataclasses.dataclass(frozen=True)
class Head:
    """Over a whole text: one of `labels`, -1 where an example says nothing of it; or, with `several`, each by itself.
    `weight` is its part in the loss.

    `listwise`: its one label is learned by comparing the texts of a group with each other, and with the case that none
    of them has it."""

    labels: tuple[str, ...]
    several: bool = False
    weight: float = 1.0
    listwise: bool = False


@dataclasses.dataclass(frozen=True)
class Task:
    """One adapter: what it tells, and how much of what comes before the text is read with it."""

    kind: str
    heads: dict[str, Head]
    tags: tuple[str, ...]
    context_turns: int
    context_pieces: int  # of each of its two texts
    first: int  # the first layer with updates
    rank: int


QUESTION = Task("question", {"type": Head(TYPES), "guard": Head(GUARDS), "relation": Head(RELATIONS, weight=0.7),
                             "asks": Head(ASKS, several=True, weight=1.5)}, TAGS, 2, 20, first=2, rank=8)
# Before the line stand the question, and the title of what the line is from.
SELECT = Task("select", {"answers": Head(("answers",), several=True, listwise=True)}, (), 1, 40, first=0, rank=8)
# Before the claim stand the receipt's lines nearest to it.
JUDGE = Task("judge", {"verdict": Head(VERDICTS)}, (), 1, 72, first=3, rank=8)
# Before the condition stands the question.
CONDITIONS = Task("conditions", {"says": Head(SAYS)}, (), 1, 72, first=2, rank=8)
# A question by itself.
TALLY = Task("tally", {name: Head(labels) for name, labels in TALLIES.items()}, (), 0, 0, first=2, rank=8)
