"""Faults that no recorded change causes: traffic, certificates, providers, machines, records.

The truth of each is "none"; case_fault.py says what each part means.
"""

from case_fault import Fault, edge_of

EXTERNAL = {}


def external(function):
    EXTERNAL[function.__name__] = function
    return function


def idle(services, minute):
    """Nothing changes inside."""


@external
def traffic_surge(world, rng):
    s = rng.choice(world.with_db())
    world.services[s]["cpu_load"] = 0.52
    top = rng.uniform(2.6, 3.3)
    return Fault(
        s,
        idle,
        "Three times the usual requests arrive; the service with the least " "headroom saturates.",
        "scale",
        topic="cpu",
        surge=lambda t: 1 + (top - 1) * min(1.0, t / 6),
        errors={(s, "rejected"): ["503 overloaded: {n}00 requests waiting"]},
    )


@external
def crawler(world, rng):
    top = rng.uniform(3.2, 3.8)
    s = world.producer
    world.services[s]["thread_headroom"] = 2.2
    return Fault(
        s,
        idle,
        "One outside client fetches everything as fast as it can; the edge passes " "" "it on.",
        "scale",
        topic="limit",
        surge=lambda t: 1 + (top - 1) * min(1.0, (t + 1) / 3),
        warnings=[
            (
                world.edge,
                "client 203.0.113.{n} agent=harvest-bot/2 has {n}0 requests in flight",
                2,
                0,
            )
        ],
    )


@external
def certificate_expired(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.97
        v[s]["calls"][dep]["retries"] = 0

    return Fault(
        dep,
        apply,
        "The certificate that the callee serves ran out; every new connection to "
        "it is refused by its caller.",
        "rotate-cert",
        dep=dep,
        up=s,
        first=s,
        topic="tls",
        errors={
            (s, "refused:" + dep): [
                "x509: certificate has expired or is not yet valid: @svc@, not after @expiry@",
                "TLS handshake with @svc@ failed: certificate expired",
            ]
        },
    )


@external
def provider_down(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.9

    return Fault(
        s,
        apply,
        "The outside provider answers 503 to nearly everything.",
        "failover",
        topic="provider",
        errors={
            (s, "provider"): [
                "@prov@ answered 503 Service Unavailable",
                "@prov@: 502 from api.@provid@.example, request id {n}f{n}",
            ]
        },
    )


@external
def provider_slow(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_ms"] = 60 + 240 * min(t + 1, 8)

    return Fault(
        s,
        apply,
        "The outside provider gets slower by the minute; requests that wait for "
        "it hold the threads.",
        "failover",
        topic="timeout",
        warnings=[(s, "@prov@ took {n}12 ms", 2, 1)],
        errors={(s, "rejected"): ["no thread free: {n} requests wait for @prov@"]},
    )


@external
def provider_quota(world, rng):
    s = rng.choice(world.middle())
    world.services[s]["provider"] = True

    def apply(v, t):
        v[s]["provider_error"] = 0.8

    return Fault(
        s,
        apply,
        "The month's quota at the outside provider is used up; it answers 429 "
        "until it is raised.",
        "failover",
        topic="limit",
        errors={
            (s, "provider"): [
                "@prov@ answered 429: monthly quota exceeded",
                "@prov@: quota of 500000 calls used, resets in {n} h",
            ]
        },
    )


@external
def node_failing(world, rng):
    s = rng.choice(world.middle())

    def apply(v, t):
        v[s]["own_error"] = 0.22
        v[s]["base_ms"] *= 2.5
        v[s]["cpu_factor"] = 1.2

    return Fault(
        s,
        apply,
        "One machine's disk reports errors; the replicas that run on it stall and " "" "fail.",
        "drain-node",
        topic="cpu",
        errors={
            (s, "own"): [
                "write /var/lib/data/segment-{n}: input/output error",
                "node wk-14: read failed: EIO",
            ]
        },
        warnings=[
            (s, "kernel on wk-14: nvme0n1: I/O error, sector {n}81{n}", 1.2, 0),
            (s, "node wk-14 condition DiskPressure=Unknown", 0.3, 2),
        ],
    )


@external
def disk_full(world, rng):
    s = rng.choice(world.with_db())
    first = rng.uniform(0.90, 0.93)
    world.services[s]["disk"] = first

    def apply(v, t):
        v[s]["disk"] = min(1.0, first + 0.006 * t)
        if first + 0.006 * t >= 0.995:
            v[s]["own_error"] = 0.4

    return Fault(
        s,
        apply,
        "The disk under the data of the service fills up, as it did for days; " "then writes fail.",
        "drain-node",
        topic="memory",
        delay=0,
        errors={
            (s, "own"): [
                "could not extend file base/16{n}: No space left on device",
                "write failed: ENOSPC",
            ]
        },
    )


@external
def poison_record(world, rng):
    s = world.worker

    def apply(v, t):
        v[s]["drain_factor"] = 0.1
        v[s]["own_error"] = 0.6

    return Fault(
        s,
        apply,
        "One malformed message is delivered again and again and holds up those " "behind it.",
        "quarantine",
        topic="queue",
        errors={
            (s, "own"): [
                "message @ent@-77{k} failed: invalid UTF-8 in field title, requeued",
                "redelivery of @ent@-77{k}: cannot parse, offset 88410{k}",
            ]
        },
    )


@external
def poison_row(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["own_error"] = 0.14
        v[s]["restarts_forced"] = 1
        v[s]["base_ms"] *= 2

    return Fault(
        s,
        apply,
        "An imported record has a cycle of parents; whichever request meets it "
        "recurses until the process dies.",
        "quarantine",
        topic="codec",
        errors={
            (s, "own"): [
                "recursion limit while reading @ent@ 4018{k}: parent chain does not end",
                "@ent@ 4018{k}: stack exhausted in resolve_parents",
            ]
        },
    )


@external
def resolver_down(world, rng):
    s, dep = edge_of(world, rng)

    def apply(v, t):
        v[s]["calls"][dep]["error"] = 0.6
        v[s]["calls"][dep]["extra_ms"] = 40

    return Fault(
        s,
        apply,
        "The zone's resolver loses answers; names of services are not found from " "there.",
        "failover",
        dep=dep,
        first=s,
        topic="timeout",
        errors={
            (s, "refused:" + dep): [
                "lookup @dep@.internal on 10.96.0.10:53: server misbehaving",
                "getaddrinfo EAI_AGAIN @dep@.internal",
            ]
        },
    )


@external
def primary_lost(world, rng):
    s = rng.choice(world.with_db())

    def apply(v, t):
        v[s]["own_error"] = 0.55
        v[s]["query_factor"] = 5

    return Fault(
        s,
        apply,
        "The primary of the database went away and no standby was promoted; " "writes fail.",
        "failover",
        topic="pool",
        errors={
            (s, "own"): [
                "connect to @svc@-primary.internal:5432 failed: no route to host",
                "cannot execute INSERT in a read-only transaction",
            ]
        },
        warnings=[(s, "health: primary unreachable for {n} s, standby lag unknown", 0.8, 0)],
    )
