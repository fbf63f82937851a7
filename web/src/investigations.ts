// Investigations, as the server has them (docs/investigate.md, docs/format/investigation.md).
import { call, eventsOf, send, type StreamEvent } from "./net";

export interface Test {
  what: string;
  holds: number;
  because: string;
  receipt?: string;
}
export interface Step {
  from: string;
  to: string;
  why: string;
  proved: boolean;
  receipt?: string;
}
export interface Hypothesis {
  id: string;
  statement: string;
  category: string;
  confidence: number;
  status: string;
  needs: Test[];
  predictions?: Test[];
  path: Step[];
}
export interface Report {
  incident: { title: string; service: string; severity: string; symptoms: string[]; links: string[] };
  outcome: string;
  summary: string;
  causes: string[];
  first_failing_service: string;
  blast_radius: string[];
  owners: { service: string; document: string; title: string; says: string; receipt: string }[];
  downstream: { service: string; on: string; why: string; fails: boolean; receipt?: string }[];
  answers?: { question: string; answer: string; receipt: string }[];
  advice: string;
  deciding_question?: { question: string; if_yes: string; if_no: string };
  hypotheses: Hypothesis[];
  wider?: Hypothesis[];
  alternatives: { hypothesis: string; why_not: string }[];
  timeline: { at: string; what: string; receipt?: string }[];
  knowledge: { found: { id: string; title: string; kind: string; relevance: number }[] };
  missing: string[];
  receipts: { id: string; tool: string; text: string }[];
}
export interface Investigation {
  id: string;
  state: "waiting" | "running" | "asking" | "done" | "failed" | "cancelled";
  by: string;
  about: string;
  created_at: string;
  resolved_at?: string;
  score?: { outcome: string; because: string; in_time: boolean };
  error?: string;
  report?: Report;
}
export interface Order {
  incident?: string;
  service?: string;
  description?: string;
  ask?: boolean;
}

const at = (id: string, rest = "") => `/investigations/${encodeURIComponent(id)}${rest}`;

export const investigations = async () =>
  (await call<{ investigations: Investigation[] }>("GET", "/investigations")).investigations;
export const investigation = (id: string) => call<Investigation>("GET", at(id));
export const begin = (order: Order) => call<Investigation>("POST", "/investigations", order);
export const answer = (id: string, yes: boolean) =>
  call<Investigation>("POST", at(id, "/answer"), { answer: yes ? "yes" : "no" });
export const cancel = (id: string) => call<Investigation>("POST", at(id, "/cancel"));
export async function* watched(id: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  yield* eventsOf(await send("GET", at(id, "/stream"), undefined, signal));
}
