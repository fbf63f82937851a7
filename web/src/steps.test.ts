import { expect, test } from "vitest";
import { stepsOf, type State } from "./steps";

const human = { type: "human", id: "1", content: "why?" };
const calls = { type: "ai", id: "2", content: "", tool_calls: [{ name: "doc_search", args: {} }] };
const found = { type: "tool", id: "3", content: "the press" };
const answer = { type: "ai", id: "4", content: "Because." };
const planned = [{ tool: "doc_search", args: {}, purpose: "what is written" }];
const state = (id: number, next: string[], values: State["values"]): State => ({
  checkpoint: { checkpoint_id: String(id) },
  next,
  created_at: "",
  values,
});
// As the API tells them: the last one first.
const states = [
  state(6, [], { messages: [human, calls, found, answer], plan: planned, title: "Why" }),
  state(5, ["title_generation"], { messages: [human, calls, found, answer], plan: planned }),
  state(4, ["support_bot"], { messages: [human, calls, found], plan: planned }),
  state(3, ["incident_tools"], { messages: [human, calls], plan: planned }),
  state(2, ["support_bot"], { messages: [human], plan: null }),
  state(1, ["guardrail_check"], { messages: [human], plan: null }),
];

test("each state is told by what it adds to the one before", () => {
  const steps = stepsOf(states);
  expect(steps.map((step) => [step.id, step.kind])).toEqual([
    ["1", "asked"],
    ["2", "checked"],
    ["3", "planned"],
    ["4", "looked"],
    ["5", "answered"],
    ["6", "titled"],
  ]);
  expect(steps[3]).toMatchObject({ question: "why?", lookups: ["the press"], answer: "", goesOn: true, turn: 1 });
  expect(steps[4]).toMatchObject({ answer: "Because.", goesOn: false });
});

test("a second question begins a turn that knows nothing of the first one's lookups", () => {
  const again = { type: "human", id: "5", content: "and then?" };
  const steps = stepsOf([
    state(7, ["guardrail_check"], { messages: [human, calls, found, answer, again], plan: planned }),
    ...states,
  ]);
  expect(steps.at(-1)).toMatchObject({ kind: "asked", turn: 2, question: "and then?", lookups: [], plan: [], answer: "" });
});
