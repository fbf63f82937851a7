"""Incidents of which the recorded evidence proves no cause at all; the truth of each is "none"."""

from case_external import idle
from case_fault import Fault, edge_of

UNPROVED = {}


def unproved(function):
    UNPROVED[function.__name__] = function
    return function


@unproved
def silent_slowness(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["base_ms"] *= 1 + 0.5 * min(t, 12)

    return Fault(
        s,
        apply,
        "A service gets slower, says nothing, and nothing that reaches it was " "changed.",
        "",
        topic="cpu",
    )


@unproved
def manual_edit(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["extra_ms"] = 180

    return Fault(
        s,
        apply,
        "Someone edited a route by hand; no record says so, and the calls between "
        ""
        "two healthy services are slow.",
        "",
        dep=dep,
        first=s,
        topic="timeout",
    )


@unproved
def short_fluke(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        if t < 7:
            v[s]["own_error"] = 0.09

    return Fault(
        s,
        apply,
        "Seven minutes of failures with a message that says nothing, then none; " "no change fits.",
        "",
        topic="retry",
        errors={(s, "own"): ["request failed: internal error"]},
    )


@unproved
def chronic(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.004 + 0.0011 * t

    return Fault(
        s,
        apply,
        "Errors rise slowly and began before every recorded change.",
        "",
        topic="codec",
        delay=-40,
        errors={(s, "own"): ["unexpected end of stream"]},
    )


@unproved
def hidden_in_a_gap(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["base_ms"] *= 6

    return Fault(
        s,
        apply,
        "Metrics and logs are missing around the onset; what came first cannot be " "" "told.",
        "",
        topic="timeout",
    )


@unproved
def threshold_on_noise(world, rng):
    return Fault(
        world.edge, idle, "Nothing fails: the threshold lies within the noise.", "", topic="retry"
    )
