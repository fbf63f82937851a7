#!/usr/bin/env python3
"""LangGraph's side of bench/turn, which calls it in the virtual environment it made; turn_bench.cc is ours.

    turn_langgraph.py turns|crowd --texts FILE --saver memory|sqlite|postgres [--postgres CONNECTION]
        [--durability sync|async|exit] [--delta] [--threads 5] [--fresh 40] [--rounds 10]

The same graph, texts, checks and measures as src/cli/conversation/turn_bench.cc; one JSON object on standard output.

Fair to LangGraph: events are streamed in the mode "custom" alone, the cheapest; each saver is used as its documentation
shows, SQLite with synchronous NORMAL as on our side (its default, FULL, waits for the disk at each commit), PostgreSQL with
a pool of connections for the crowd. --delta keeps the messages in a DeltaChannel (beta), which stores what was added
instead of the whole list.
"""

import argparse
import contextlib
import json
import os
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, TypedDict

# Nothing leaves this machine, and nothing is spent on it.
for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
    os.environ[name] = "false"

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

CONVERSATIONS, WORKERS, NEAR = 100, 4, 4


class State(TypedDict):
    messages: Annotated[list, add_messages]
    title: str


class DeltaState(TypedDict):
    messages: Annotated[list, DeltaChannel(_messages_delta_reducer)]
    title: str


class Texts:
    def __init__(self, file):
        everything = json.loads(pathlib.Path(file).read_text())
        self.turns, self.title, self.status = everything["turns"], everything["title"], everything["status"]

    def call(self, turn):
        return {"name": "search_similar_incidents", "args": self.turns[turn]["arguments"], "id": f"call-{turn}",
                "type": "tool_call"}

    def messages(self, count):
        """What a conversation must hold after `count` turns: type, content, tool calls, the call that is answered."""
        for i, turn in enumerate(self.turns[:count]):
            yield "human", turn["question"], [], None
            yield "ai", "", [self.call(i)], None
            yield "tool", turn["result"], [], f"call-{i}"
            yield "ai", turn["answer"], [], None


def make_app(texts, saver, state):
    def support_bot(state):
        messages = state["messages"]
        turn = (len(messages) - 1) // 4
        get_stream_writer()(texts.status)
        if isinstance(messages[-1], ToolMessage):
            return {"messages": [AIMessage(texts.turns[turn]["answer"])]}
        return {"messages": [AIMessage("", tool_calls=[texts.call(turn)])]}

    def incident_tools(state):
        messages = state["messages"]
        result = texts.turns[(len(messages) - 1) // 4]["result"]
        return {"messages": [ToolMessage(result, tool_call_id=messages[-1].tool_calls[0]["id"])]}

    def title_generation(state):
        return {"title": texts.title}

    def wants_tool(state):
        return "continue" if state["messages"][-1].tool_calls else "title_generation"

    graph = StateGraph(state)
    graph.add_node("support_bot", support_bot)
    graph.add_node("incident_tools", incident_tools)
    graph.add_node("title_generation", title_generation)
    graph.add_edge(START, "support_bot")
    graph.add_conditional_edges("support_bot", wants_tool,
                                {"continue": "incident_tools", "title_generation": "title_generation"})
    graph.add_edge("incident_tools", "support_bot")
    graph.add_edge("title_generation", END)
    return graph.compile(checkpointer=saver)


class Store:
    """Where the conversations are kept; reopen() as a new process would."""

    def __init__(self, options, folder):
        self.options, self.folder, self.memory, self.closing = options, pathlib.Path(folder), InMemorySaver(), None
        self.reopen()

    def reopen(self):
        self.closing = contextlib.ExitStack()
        if self.options.saver == "memory":
            self.saver = self.memory
        elif self.options.saver == "sqlite":
            connection = sqlite3.connect(self.folder / "threads.db", check_same_thread=False)
            self.closing.enter_context(contextlib.closing(connection))
            self.saver = SqliteSaver(connection)
            self.saver.setup()
            connection.execute("PRAGMA synchronous = NORMAL")
        elif self.options.what == "crowd":
            # What PostgresSaver.from_conn_string() sets, for each of the pool's connections.
            settings = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
            pool = ConnectionPool(self.options.postgres, min_size=WORKERS, max_size=8, kwargs=settings, open=True)
            self.closing.enter_context(pool)
            pool.wait()
            self.saver = PostgresSaver(pool)
            self.saver.setup()
        else:
            self.saver = self.closing.enter_context(PostgresSaver.from_conn_string(self.options.postgres))
            self.saver.setup()

    def close_and_measure(self):
        if self.options.saver == "postgres":
            row = self.saver.conn.execute("SELECT SUM(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class "
                                          "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace").fetchone()
            self.closing.close()
            return row["bytes"]
        self.closing.close()
        return sum(file.stat().st_size for file in self.folder.iterdir())


def config_of(thread):
    return {"configurable": {"thread_id": thread}}


def run_turn(app, texts, options, thread, turn):
    """Seconds of the turn, of the processor, and until the first event."""
    question = {"messages": [HumanMessage(texts.turns[turn]["question"])]}
    first = None
    cpu, start = time.process_time(), time.perf_counter()
    for _ in app.stream(question, config_of(thread), stream_mode="custom", durability=options.durability):
        first = first or time.perf_counter() - start
    return time.perf_counter() - start, time.process_time() - cpu, first


def check(app, texts, thread, turns):
    values = app.get_state(config_of(thread)).values
    kept = [(message.type, message.content, getattr(message, "tool_calls", []), getattr(message, "tool_call_id", None))
            for message in values["messages"]]
    if values["title"] != texts.title or kept != list(texts.messages(turns)):
        sys.exit(f"thread {thread} does not hold what was said")


def resident():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024


def summary(samples):
    walls, cpus, firsts = zip(*samples)
    return {"turn_ms": statistics.median(walls) * 1e3, "cpu_ms": statistics.median(cpus) * 1e3,
            "first_event_ms": statistics.median(firsts) * 1e3, "samples": len(samples)}


def turns(texts, options, store, state):
    out = {"resident_start_bytes": resident()}
    last = len(texts.turns)
    app = make_app(texts, store.saver, state)
    for turn in range(last):
        run_turn(app, texts, options, "first", turn)
    out["resident_bytes"] = resident()
    out["stored_bytes"] = store.close_and_measure()
    store.reopen()
    app = make_app(texts, store.saver, state)
    check(app, texts, "first", last)

    at = {"1": [], "middle": [], "last": []}
    for i in range(options.fresh):
        at["1"].append(run_turn(app, texts, options, f"fresh-{i}", 0))
    middle = min(50, (last + 1) // 2)
    for i in range(options.threads):
        for turn in range(1, last + 1):
            sample = run_turn(app, texts, options, f"long-{i}", turn - 1)
            if turn > last - 2 * NEAR:
                at["last"].append(sample)
            elif abs(turn - middle) <= NEAR:
                at["middle"].append(sample)
        check(app, texts, f"long-{i}", last)
    out["at"] = {turn: summary(samples) for turn, samples in at.items()}
    return out


def crowd(texts, options, store, state):
    app = make_app(texts, store.saver, state)
    walls = []
    with ThreadPoolExecutor(WORKERS) as workers:
        cpu, start = time.process_time(), time.perf_counter()
        for turn in range(options.rounds):
            done = workers.map(lambda i: run_turn(app, texts, options, f"crowd-{i}", turn)[0], range(CONVERSATIONS))
            walls += [seconds * 1e3 for seconds in done]
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    out = {"turns_per_second": len(walls) / seconds, "cpu_ms": cpu / len(walls) * 1e3, "p50_ms": statistics.median(walls),
           "p99_ms": statistics.quantiles(walls, n=100)[98], "resident_bytes": resident()}
    for i in range(CONVERSATIONS):
        check(app, texts, f"crowd-{i}", options.rounds)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("turns", "crowd"))
    parser.add_argument("--texts", required=True)
    parser.add_argument("--saver", choices=("memory", "sqlite", "postgres"), default="sqlite")
    parser.add_argument("--postgres")
    parser.add_argument("--durability", choices=("sync", "async", "exit"), default="sync")
    parser.add_argument("--delta", action="store_true")
    parser.add_argument("--threads", type=int, default=5)
    parser.add_argument("--fresh", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(options, folder)
        measure = turns if options.what == "turns" else crowd
        print(json.dumps(measure(Texts(options.texts), options, store, DeltaState if options.delta else State)))
        store.closing.close()


if __name__ == "__main__":
    main()
