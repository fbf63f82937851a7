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
  parent?: string;
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
  remedy?: { risk: string; rollback: string };
  runbook?: { document: string; title: string; place: string; steps: { text: string; place: string }[] };
  deciding_question?: { question: string; if_yes: string; if_no: string };
  hypotheses: Hypothesis[];
  wider?: Hypothesis[];
  alternatives: { hypothesis: string; why_not: string }[];
  timeline: { at: string; what: string; receipt?: string }[];
  knowledge: { found: { id: string; title: string; kind: string; relevance: number; fixed_by?: string; procedure?: string }[] };
  model?: { name: string; summary: string; order: { hypothesis: string; why: string }[] };
  missing: string[];
  receipts: { id: string; tool: string; text: string }[];
}
const kLeft = 0.1; // confidence: what has less is as good as excluded

/** What branches from a wider hypothesis and is still possible. */
export const branchesOf = (report: Report, id: string) =>
  [...(report.wider ?? []), ...report.hypotheses].filter(({ parent, confidence }) => parent === id && confidence >= kLeft);

/** Where the tree of hypotheses begins: nowhere unless more than one of its branches is left. */
export const rootsOf = (report: Report) =>
  report.hypotheses.filter(({ parent, confidence }) => parent && confidence >= kLeft).length < 2
    ? []
    : (report.wider ?? []).filter(({ parent, confidence }) => !parent && confidence >= kLeft);

export interface Investigation {
  id: string;
  state: "waiting" | "running" | "asking" | "done" | "failed" | "cancelled";
  by: string;
  about: string;
  summary?: string;
  created_at: string;
  resolved_at?: string;
  score?: { outcome: string; because: string; in_time: boolean };
  error?: string;
  report?: Report;
}
export const minute = (text: string) => text.slice(0, 16).replace("T", " ");
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
