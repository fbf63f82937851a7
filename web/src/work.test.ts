import { expect, test } from "vitest";
import { after, newTurn } from "./turn";
import { stepsOf } from "./Work";

test("the steps of a plan tick off while they are done, and those that wait are shown", () => {
  const events = [
    {
      name: "plan",
      data: {
        calls: [
          { tool: "doc_search", args: { query: "why" }, purpose: "what is written" },
          { tool: "recent_changes", args: {}, purpose: "what was changed" },
        ],
      },
    },
    { name: "tool_call", data: { id: "R1", tool: "doc_search", args: { query: "why" } } },
  ].map((event) => ({ id: "", ...event }));
  const begun = events.reduce(after, newTurn("k", "why?"));
  expect(stepsOf(begun).map(({ id, status, purpose }) => [id, status, purpose])).toEqual([
    ["R1", "running", "what is written"],
    ["", "planned", "what was changed"],
  ]);
  const found = after(begun, { id: "", name: "tool_result", data: { id: "R1", status: "ok", took_ms: 3, note: "2 sections" } });
  expect(stepsOf(found)[0]).toMatchObject({ status: "ok", tookMs: 3, note: "2 sections" });
  // What was not needed is not shown once the answer is there.
  expect(stepsOf(after(found, { id: "", name: "complete", data: { answer: "So.", receipts: [] } }))).toHaveLength(1);
});
