// A turn of a chat: the question, the work, the answer; made from the events of its stream.
import type { Answer, Claim, PlannedCall } from "./api";
import { sentence, type StreamEvent } from "./net";

export interface ToolCall {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  status: "running" | "ok" | string;
  tookMs?: number;
  note?: string;
}

export interface Turn {
  key: string;
  question: string;
  status: string; // what is being done, in a sentence
  plan: PlannedCall[];
  calls: ToolCall[];
  text: string; // the answer so far
  draft: boolean; // nobody has checked the text yet
  claims: Claim[]; // of the text, as far as they are checked
  answer?: Answer; // the whole one, checked
  error?: string;
  stopped?: boolean; // the error is that somebody stopped it
  running: boolean;
  lastEvent: string; // its id, to go on from
}

export function newTurn(key: string, question: string, change: Partial<Turn> = {}): Turn {
  return {
    key,
    question,
    status: "",
    plan: [],
    calls: [],
    text: "",
    draft: false,
    claims: [],
    running: true,
    lastEvent: "",
    ...change,
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : "");

function withResult(calls: ToolCall[], data: Record<string, unknown>): ToolCall[] {
  return calls.map((call) =>
    call.id === data.id ? { ...call, status: text(data.status), tookMs: Number(data.took_ms), note: text(data.note) } : call,
  );
}

/** The turn after an event. */
export function after(turn: Turn, event: StreamEvent): Turn {
  const { data } = event;
  const next = { ...turn, lastEvent: event.id || turn.lastEvent };
  switch (event.name) {
    case "status":
      return { ...next, status: text(data.text), question: text(data.question) || turn.question };
    case "plan":
      return { ...next, plan: [...turn.plan, ...((data.calls as PlannedCall[] | null) ?? [])] };
    case "tool_call": {
      const call = {
        id: text(data.id),
        tool: text(data.tool),
        args: (data.args ?? {}) as Record<string, unknown>,
        status: "running",
      };
      return { ...next, calls: [...turn.calls, call] };
    }
    case "tool_result":
      return { ...next, calls: withResult(turn.calls, data) };
    case "token":
      return { ...next, text: turn.text + text(data.text), draft: data.draft === true };
    case "grounding": {
      const claims = (data.claims as Claim[] | null) ?? [];
      // Of a draft the sentences come one by one; of the answer all at once.
      return { ...next, claims: data.draft === true ? [...turn.claims, ...claims] : claims };
    }
    case "reset":
      return { ...next, text: "", draft: false, claims: [] };
    case "complete": {
      const answer = data as unknown as Answer;
      return { ...next, answer, text: answer.answer, claims: answer.claims ?? [], draft: false, running: false, status: "" };
    }
    case "error":
      return { ...next, error: sentence(text(data.detail)), stopped: data.title === "Cancelled", running: false, status: "" };
    default:
      return next;
  }
}

/** The turns of a kept chat. The last answer's evidence comes from its stream, that of others from `answerTo`. */
export function turnsOf(messages: { role: string; content: string }[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "user") turns.push(newTurn(`kept-${turns.length}`, message.content, { running: false }));
    else if (last) last.text += (last.text && "\n\n") + message.content;
  }
  return turns;
}

/** What is missing, unless the answer says nothing else. */
export function missingBeside({ text, answer }: Turn): string[] {
  const missing = answer?.missing ?? [];
  return missing.join("\n\n") === text.trim() ? [] : missing;
}
