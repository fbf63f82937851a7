#!/usr/bin/env python3
"""Writes the incidents that were written by hand: make_written.py OUT

Each goes to OUT/AUTHOR/NAME, in the form of a frozen incident, with expected.json beside: faults,
innocent changes and evidence as four authors imagined them, who had seen neither the program nor one
another's. The same bytes each time.
"""
import pathlib, sys

import incidents_a1, incidents_a2, incidents_a3, incidents_b, incidents_c1, incidents_c2, incidents_c3
import incidents_d1, incidents_d2, incidents_d3
import sim_a, sim_d


def made(module):
    """Its incidents: functions of no argument that are its own."""
    return [
        f
        for f in vars(module).values()
        if callable(f) and getattr(f, "__module__", "") == module.__name__ and f.__code__.co_argcount == 0
    ]


def main(out):
    sim_a.OUT, incidents_b.OUT, sim_d.OUT = str(out / "a"), out / "b", out / "d"
    for module in (incidents_a1, incidents_a2, incidents_a3, incidents_d1, incidents_d2, incidents_d3):
        for write in made(module):
            write()
    for write in incidents_b.INCIDENTS:
        write()
    for module in (incidents_c1, incidents_c2, incidents_c3):
        for write in module.ALL:
            write(out / "c")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
