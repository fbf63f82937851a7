"""Runs a World minute by minute: what services do to each other follows from queues and limits.

Nothing is scripted: a fault is a function that changes parameters of services at a minute.

Capacities are set from the calm state, so that a healthy service has headroom by construction.
"""

import copy, math

DEADLINE_MS = 12_000  # no server works longer on a request


def tail_above(median, limit, sigma=0.45):
    """The share of a lognormal latency that is above a limit."""
    if median <= 0:
        return 0.0
    return 0.5 * math.erfc(math.log(limit / median) / (sigma * math.sqrt(2)))


def traffic_at(world, minute):
    drift = 1 + world.slope * minute / 120 + 0.03 * math.sin(minute / 17)
    return world.traffic * drift * world.surge(minute)


class Run:
    """`at[minute][service]` has rate, error, p50 and more; `why` is what the errors are made of."""

    def __init__(self, world, minutes, fault=None):
        self.world, self.at = world, []
        self.base = {}
        self.memory = {s: p["memory_mb"] for s, p in world.services.items()}
        self.restarts = dict.fromkeys(world.services, 0)
        self.depth = 20.0
        calm = self._step(world.services, 0, {})  # the first step only sizes capacities
        self.base = calm
        self.restarts, self.depth = dict.fromkeys(world.services, 0), 20.0
        before = calm
        for minute in range(minutes):
            services = world.services
            if fault:
                services = copy.deepcopy(services)
                fault(services, minute)
            before = self._step(services, minute, before)
            self.at.append(before)

    def _rates(self, services, minute, before):
        rates = dict.fromkeys(services, 0.0)
        rates[self.world.edge] = traffic_at(self.world, minute)
        for name, p in services.items():
            if name == self.world.worker:
                made = before.get(self.world.producer, {}).get("rate", self.world.traffic)
                inflow = 0.3 * made  # what was queued a minute ago
                capacity = (1.4 * self.base[name]["rate"] if self.base else inflow) * p[
                    "drain_factor"
                ]
                self.depth = max(0.0, self.depth + 60 * (inflow - capacity))
                rates[name] = min(inflow + self.depth / 60, capacity) if self.base else inflow
            for callee, call in p["calls"].items():
                failed = before.get(name, {}).get("call", {}).get(callee, 0.0)
                tries = 1 + sum(failed**k for k in range(1, call["retries"] + 1))
                rates[callee] += rates[name] * call["ratio"] * call["factor"] * tries
        return rates

    def _step(self, services, minute, before):
        rates = self._rates(services, minute, before)
        now = {}
        for name in reversed(list(services)):
            now[name] = self._service(name, services[name], rates[name], now, before)
        return now

    def _service(self, name, p, rate, now, before):
        base, why, out = self.base.get(name), {}, {"rate": rate, "call": {}}
        rate = max(rate, 0.01)
        own = p["base_ms"]
        why["own"] = p["own_error"]
        out["hit"] = p["hit"] if p["cache"] else 0.0
        if p["db"]:
            own += self._database(p, rate, base, out, why)
        if p["provider"]:
            own += 0.4 * p["provider_ms"]
            why["provider"] = 0.4 * p["provider_error"]
        if p["serial"]:  # a share of the work goes one at a time through a lock
            busy = min(0.985, rate / max(base["rate"] if base else rate, 0.01) * p["serial"])
            own += own * busy / (1 - busy) * 0.5
        for callee, call in p["calls"].items():
            theirs = now.get(callee) or before.get(callee) or {"p50": 10.0, "error": 0.0}
            late = tail_above(theirs["p50"] + call["extra_ms"], call["timeout_ms"])
            failed = 1 - (1 - theirs["error"]) * (1 - late) * (1 - call["error"])
            out["call"][callee] = failed
            share = min(1.0, call["ratio"])
            own += (
                share
                * min(theirs["p50"] + call["extra_ms"], call["timeout_ms"])
                * (1 + failed * call["retries"])
            )
            left = failed ** (1 + 0.6 * call["retries"])
            why["timeout:" + callee] = share * left * (late / failed if failed else 0)
            why["refused:" + callee] = share * left * (call["error"] / failed if failed else 0)
            why["failed:" + callee] = share * left * (theirs["error"] / failed if failed else 0)
        cpu = p["cpu_load"] * p["cpu_factor"] * (rate / base["rate"] if base else 1.0)
        if cpu > 0.75:
            own *= 1 + (min(cpu, 1.0) - 0.75) * 14
        if cpu > 1.0:
            why["rejected"] = 1 - 1 / cpu
        busy = rate * own / 1000
        if base:
            load = busy / (base["busy"] * p["thread_headroom"] * p["threads_factor"])
            if load > 0.7:
                own *= 1 + (min(load, 1.0) - 0.7) * 8
            if load > 1.0:
                why["rejected"] = max(why.get("rejected", 0), min(0.8, 1 - 1 / load))
            out["threads"] = min(1.0, load)
        else:
            out["threads"] = 1 / p["thread_headroom"]
        self.restarts[name] += p.get("restarts_forced", 0)
        own = min(own, DEADLINE_MS)
        memory = self._memory(name, p, rate / base["rate"] if base else 1.0, why)
        good = 1.0
        for share in why.values():
            good *= 1 - min(1.0, max(0.0, share))
        out.update(
            busy=busy,
            p50=own,
            error=1 - good,
            cpu=min(1.0, cpu),
            memory=memory,
            why=why,
            restarts=self.restarts[name],
            depth=self.depth if name == self.world.worker else None,
            disk=p["disk"],
        )
        return out

    def _database(self, p, rate, base, out, why):
        miss = 1 - p["hit"] if p["cache"] else 1.0
        asked = rate * p["queries"] * p["queries_factor"] * miss
        load = (
            p["db_load"]
            * (asked / base["asked"] if base else 1.0)
            * max(1.0, p["query_factor"] ** 0.35)
        )
        query = p["query_ms"] * p["query_factor"] * (1 + max(0.0, min(load, 1.2) - 0.6) * 12)
        held = asked * query / 1000
        size = (base["held"] * p["pool_headroom"] if base else held * p["pool_headroom"]) * p[
            "pool_factor"
        ]
        use = held / max(size * (1 - p["leaked"]), 0.02 * size)
        wait = 0.0
        if use > 0.8:
            wait = query * p["queries"] * min(40.0, use / max(0.03, 1 - min(use, 0.97)) * 0.6)
        if use > 1.0:
            why["pool"] = min(0.9, 1 - 1 / use)
            wait = max(wait, 400.0)
        out.update(
            asked=asked,
            held=held,
            pool=min(1.0, use * (1 - p["leaked"]) + p["leaked"]),
            query=query,
            db_cpu=min(1.0, load),
        )
        return p["queries"] * p["queries_factor"] * miss * query + wait

    def _memory(self, name, p, load, why):
        self.memory[name] += p["leak_mb"] * load
        resident = (self.memory[name] + 40 * (load - 1)) * p["memory_factor"]
        if resident > p["limit_mb"]:
            self.restarts[name] += 1
            self.memory[name] = p["memory_mb"] * 0.8
            why["oom"] = 0.3
        elif p["limit_mb"] < 1.02 * p["memory_mb"]:
            self.memory[name] += 0.12 * p["memory_mb"]
            why["oom"] = 0.09  # another replica is on its way up again
        return min(resident, p["limit_mb"])


def departures(run, calm):
    """For each failing service, the minute at which it first differs from the calm run."""
    first = {}
    for minute, (now, was) in enumerate(zip(run.at, calm.at)):
        for name, x in now.items():
            y = was[name]
            slow = x["p50"] > 1.6 * y["p50"] and x["p50"] > y["p50"] + 8
            failing = x["error"] > 3 * y["error"] and x["error"] > y["error"] + 0.008
            queue = x["depth"] is not None and x["depth"] > 20 * max(y["depth"], 50)
            if slow or failing or queue:
                first.setdefault(name, []).append(minute)
    return {name: minutes[0] for name, minutes in first.items() if len(minutes) >= 3}
