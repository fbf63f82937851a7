import { expect, test } from "vitest";
import type { StreamEvent } from "./net";
import { after, missingBeside, newTurn, turnsOf, type Turn } from "./turn";
import { unitsOf } from "./utf8";

const event = (name: string, data: Record<string, unknown>, id = ""): StreamEvent => ({ id, name, data });
const told = (events: StreamEvent[]): Turn => events.reduce(after, newTurn("k", "why?"));

test("a turn is what its events say, in their order", () => {
  const turn = told([
    event("status", { text: "Searching…" }, "t.1"),
    event("plan", { calls: [{ tool: "doc_search", args: {}, purpose: "what is written" }] }),
    event("tool_call", { id: "R1", tool: "doc_search", args: { query: "why" } }),
    event("tool_result", { id: "R1", status: "ok", took_ms: 3, note: "2 sections" }, "t.4"),
    event("token", { text: "Because.", draft: true }, "t.5"),
  ]);
  expect(turn).toMatchObject({ status: "Searching…", text: "Because.", draft: true, running: true, lastEvent: "t.5" });
  expect(turn.calls).toEqual([
    { id: "R1", tool: "doc_search", args: { query: "why" }, status: "ok", tookMs: 3, note: "2 sections" },
  ]);
  expect(turn.plan).toHaveLength(1);
});

test("each sentence of a draft is marked as soon as it is checked", () => {
  const claim = { text: "Because.", verdict: "supported" };
  const turn = told([event("token", { text: "Because.", draft: true }), event("grounding", { draft: true, claims: [claim] })]);
  expect(turn.claims).toEqual([claim]);
  expect(after(turn, event("reset", {})).claims).toEqual([]);
});

test("a draft is forgotten at reset, and the checked answer stands at the end", () => {
  const drafted = told([event("token", { text: "Wrong.", draft: true }), event("reset", {})]);
  expect(drafted).toMatchObject({ text: "", draft: false });
  const ended = after(drafted, event("complete", { answer: "Right.", receipts: [] }));
  expect(ended).toMatchObject({ text: "Right.", running: false, draft: false });
});

test("an error ends the turn and says why", () => {
  expect(told([event("error", { detail: "Cancelled." })])).toMatchObject({ running: false, error: "Cancelled." });
});

test("who joins a turn learns its question", () => {
  expect(told([event("status", { text: "…", question: "what happened?" })]).question).toBe("what happened?");
});

test("kept messages become turns", () => {
  const turns = turnsOf([
    { role: "user", content: "one?" },
    { role: "assistant", content: "1" },
    { role: "user", content: "two?" },
  ]);
  expect(turns.map((turn) => [turn.question, turn.text])).toEqual([
    ["one?", "1"],
    ["two?", ""],
  ]);
});

test("what is missing is not said twice", () => {
  const ended = (answer: string) => after(newTurn("k", "why?"), event("complete", { answer, missing: ["Nothing mentions it."] }));
  expect(missingBeside(ended("Nothing mentions it.\n"))).toEqual([]);
  expect(missingBeside(ended("It is slow."))).toEqual(["Nothing mentions it."]);
});

test("bytes are found in text of any script", () => {
  const text = "aé漢𝄞z";
  const unit = unitsOf(text);
  const bytes = [0, 1, 3, 6, 10, 11];
  expect(bytes.map(unit)).toEqual([0, 1, 2, 3, 5, 6]);
  expect(unit(2)).toBe(1); // inside é
  expect(unit(99)).toBe(6);
});
