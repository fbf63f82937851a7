"""Further external faults, of the dev half alone: the kinds of which it had too few to learn from.

They came after the held-out half was first judged, so none of them is in it.
"""

from case_external import idle
from case_fault import Fault

MORE = {}


def more(function):
    MORE[function.__name__] = function
    return function


@more
def campaign(world, rng):
    s = rng.choice(world.with_db())
    world.services[s]["pool_headroom"] = 1.5
    top = rng.uniform(2.4, 3.0)
    return Fault(
        s,
        idle,
        "A newsletter sends everybody at once; the connections of one service are used up.",
        "scale",
        topic="pool",
        surge=lambda t: 1 + (top - 1) * min(1.0, (t + 1) / 2),
        errors={(s, "pool"): ["no connection free after {n}00 ms"]},
    )


@more
def partner_backfill(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["thread_headroom"] = 1.9
    top = rng.uniform(2.8, 3.4)
    return Fault(
        s,
        idle,
        "A partner loads years of data through the edge, faster by the minute.",
        "scale",
        topic="limit",
        surge=lambda t: 1 + (top - 1) * min(1.0, t / 12),
        errors={(s, "rejected"): ["503: {n}0 requests wait, queue is full"]},
    )


@more
def provider_refuses(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.95

    return Fault(
        s,
        apply,
        "The outside provider takes no connections.",
        "failover",
        topic="provider",
        errors={
            (s, "provider"): [
                'Post "https://api.@provid@.example/v2/@ent@s": dial tcp 203.0.113.{k}:443: '
                "connect: connection refused",
            ]
        },
    )


@more
def provider_hangs(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.5
        v[s]["provider_ms"] = 900

    return Fault(
        s,
        apply,
        "The outside provider takes connections and does not answer.",
        "failover",
        topic="timeout",
        errors={
            (s, "provider"): [
                'Post "https://api.@provid@.example/v2/@ent@s": context deadline exceeded',
                "GET https://api.@provid@.example/v2/@ent@s/{n}: read timed out after {n}00 ms",
            ]
        },
    )


@more
def node_evicts(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.3
        v[s]["restarts_forced"] = 1

    return Fault(
        s,
        apply,
        "A machine is short of memory, of which another tenant's job takes most; it evicts replicas.",
        "drain-node",
        topic="memory",
        errors={(s, "own"): ["terminated: the node was low on resource memory, pod evicted"]},
        warnings=[(s, "node wk-{k}1 condition MemoryPressure=True", 0.8, 0)],
    )


@more
def node_leaves(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.4
        v[s]["base_ms"] *= 1.8

    return Fault(
        s,
        apply,
        "A machine loses its network; calls to the replicas that run there get no answer.",
        "drain-node",
        topic="cpu",
        errors={(s, "own"): ["peer at wk-07 gone: read tcp: no route to host"]},
        warnings=[(s, "NodeNotReady: wk-07 posts no status since {n} s", 0.8, 0)],
    )
