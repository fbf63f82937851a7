// The history of a thread as steps: what each state of the threads API (docs/clients.md) adds to the one before.
import type { PlannedCall } from "./api";
import { call } from "./net";

interface Message {
  type: string;
  id: string;
  content: string;
  tool_calls?: { name: string; args: Record<string, unknown> }[];
}
export interface State {
  checkpoint: { checkpoint_id: string };
  next: string[];
  created_at: string;
  values: {
    messages?: Message[];
    title?: string;
    status?: string;
    missing?: string[];
    plan?: PlannedCall[] | null;
    intent?: { question_type: string; subjects: string[] } | null;
    grounding?: { claims: number; supported: number; hypothesis: number; unsupported: number } | null;
  };
}
export interface Step {
  id: string; // of its checkpoint
  at: string;
  kind: "asked" | "planned" | "looked" | "answered" | "titled" | "checked";
  what: string; // in a sentence
  question: string; // of its turn
  turn: number; // from 1
  plan: PlannedCall[];
  lookups: string[]; // what tools returned until then, in this turn
  answer: string;
  state: State;
  goesOn: boolean; // the rest of its turn can be run again from here
}

const wanted = ["messages", "title", "status", "missing", "plan", "intent", "grounding"];

export async function history(thread: string): Promise<State[]> {
  const select = ["checkpoint", "next", "created_at", ...wanted.map((name) => `values.${name}`)];
  return call<State[]>("POST", `/threads/${encodeURIComponent(thread)}/history`, { limit: 200, select });
}

/** The rest of a turn anew, from one of its steps, in a copy: the id of the copy. */
export async function runFrom(thread: string, checkpoint: string): Promise<string> {
  const copy = await call<{ thread_id: string }>("POST", `/threads/${encodeURIComponent(thread)}/copy`);
  await call("POST", `/threads/${encodeURIComponent(copy.thread_id)}/runs`, {
    assistant_id: "precedent",
    input: null,
    checkpoint_id: checkpoint,
  });
  return copy.thread_id;
}

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

function told(added: Message[], state: State, before: State | undefined): Pick<Step, "kind" | "what"> {
  const asked = added.find((message) => message.type === "human");
  if (asked) return { kind: "asked", what: "A question was asked" };
  const results = added.filter((message) => message.type === "tool").length;
  if (results > 0) return { kind: "looked", what: `${counted(results, "lookup", "lookups")} came back` };
  const calls = (state.values.plan ?? []).length - (before?.values.plan ?? []).length;
  const said = added.filter((message) => message.type === "ai");
  const planned = calls > 0 ? calls : said.reduce((sum, message) => sum + (message.tool_calls?.length ?? 0), 0);
  if (planned > 0) return { kind: "planned", what: `${counted(planned, "lookup was", "lookups were")} planned` };
  if (said.some((message) => message.content)) return { kind: "answered", what: "The answer was written and checked" };
  if (state.values.title && state.values.title !== before?.values.title)
    return { kind: "titled", what: `The conversation was named “${state.values.title}”` };
  return { kind: "checked", what: "The question was allowed" };
}

/** Steps, the first one first, of states as the API tells them: the last one first. */
export function stepsOf(states: State[]): Step[] {
  const steps: Step[] = [];
  let before: State | undefined;
  let turn = 0;
  for (const state of [...states].reverse()) {
    const messages = state.values.messages ?? [];
    const known = new Set(before?.values.messages?.map((message) => message.id));
    const added = messages.filter((message) => !known.has(message.id));
    const { kind, what } = told(added, state, before);
    if (kind === "asked" || turn === 0) turn += 1;
    const from = messages.findLastIndex((message) => message.type === "human");
    const ofTurn = from < 0 ? [] : messages.slice(from + 1);
    steps.push({
      id: state.checkpoint.checkpoint_id,
      at: state.created_at,
      kind,
      what,
      turn,
      question: messages[from]?.content ?? "",
      plan: kind === "asked" ? [] : (state.values.plan ?? []),
      lookups: ofTurn.filter((message) => message.type === "tool").map((message) => message.content),
      answer:
        ofTurn.findLast((message) => message.type === "ai" && message.content && !message.tool_calls?.length)?.content ?? "",
      state,
      goesOn: state.next.length > 0 && kind !== "answered",
    });
    before = state;
  }
  return steps;
}
