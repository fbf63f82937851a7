"""What a fault is: the diff of its change, its effect on a simulated service, and the log lines.

In texts, @svc@ is the changed service, @dep@ one that it calls, @up@ one that calls it, @ent@ what
the company trades in, @lib@ its shared library, @prov@ an outside provider.
"""

from dataclasses import dataclass, field
from typing import Callable, Optional

from case_sim import Run


@dataclass
class Fault:
    service: str  # where the change goes live, or where an external fault strikes
    apply: Callable  # (services, minutes since it went live)
    notes: str
    remediation: str
    file: str = ""
    message: str = ""
    diff: str = ""
    dep: str = ""
    up: str = ""
    language: Optional[str] = None
    first: Optional[str] = None  # where the truth is not simply the first to depart
    errors: dict = field(default_factory=dict)  # (service, reason) -> texts of failures
    warnings: list = field(default_factory=list)  # (service, text, lines a minute, from minute)
    topic: str = ""  # which look-alike commit tempts
    flag: Optional[str] = None  # it goes live by a flag, its code came earlier
    extra: list = field(default_factory=list)  # further files of the diff: (file, body)
    consumers: list = field(default_factory=list)  # services that deploy the same commit later
    surge: Optional[Callable] = None
    delay: int = 1  # minutes from deploy to the first effect


CODE = {}


def code(function):
    CODE[function.__name__] = function
    return function


def edge_of(world, rng, want=lambda w, s, c: True):
    pairs = [(s, c) for s, c in world.inner_edges() if want(world, s, c)]
    return rng.choice(pairs or world.inner_edges())


def cached(world, rng):
    s = rng.choice(world.with_db())
    world.services[s]["cache"] = True
    return s


def calm_ms(world, service):
    """What the service answers in, in the middle, on a normal minute."""
    return Run(world, 1).at[0][service]["p50"]
