"""The labels of a question, in the order in which the adapter's heads give them.

What each means is in train/data/README.md. The order is written into the adapter's metadata; the C++ side reads it
from there and knows no list of its own.
"""

TYPES = ("lookup_incident", "application_incidents", "recent_incidents", "similar_incidents", "debug_incident",
         "explain_code", "design_overview", "conceptual", "knowledge", "ambiguous", "off_topic", "follow_up")
GUARDS = ("ordinary", "ask_back", "off_topic", "injection", "secrets", "harmful", "destructive")
RELATIONS = ("new", "last_answer", "earlier", "corrects", "narrows", "goes_back", "chatter")
ASKS = ("cause", "fix", "steps", "value", "owner", "duration", "count", "list", "comparison", "when", "status",
        "impact", "location", "definition", "explanation", "precedent", "change", "summary")
KINDS = ("system", "endpoint", "metric", "time", "error", "version", "person", "limit")
# Of a word piece: outside, the beginning of a span of a kind, inside one.
TAGS = ("O",) + tuple(f"{part}-{kind}" for kind in KINDS for part in "BI")

# Heads over the whole question: name → (labels, whether several may hold at once).
HEADS = {"type": (TYPES, False), "guard": (GUARDS, False), "relation": (RELATIONS, False), "asks": (ASKS, True)}
