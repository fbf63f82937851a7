// What editors review: feedback on answers, and golden examples (docs/golden.md).
import { call, query } from "./net";

export interface Feedback {
  id: string;
  question: string;
  answer: string;
  verdict: "up" | "down";
  reason: string;
  state: string;
  created_at: string;
  closed_by?: string;
  note?: string;
  golden?: string;
}
export interface Golden {
  id: string;
  question: string;
  answer: string;
  reviewed: boolean;
  active: boolean;
  served: boolean;
  sources: string[];
  tags: string[];
  updated_at: string;
  reviewed_by?: string;
  rejected_answer?: string;
  outdated_sources?: string[];
}
export interface Draft {
  question: string;
  answer: string;
  sources: string[];
  tags: string[];
}

const at = (id: string, rest = "") => `/golden/${encodeURIComponent(id)}${rest}`;

export const feedback = async (pending: boolean) =>
  (await call<{ feedback: Feedback[] }>("GET", `/feedback${query({ pending: pending ? "true" : "" })}`)).feedback;
export const close = (id: string, as: "dismissed" | "golden", answer?: string) =>
  call<unknown>("POST", `/feedback/${encodeURIComponent(id)}/close`, { as, ...(answer !== undefined && { answer }) });

export const golden = async (state: string) => (await call<{ examples: Golden[] }>("GET", `/golden${query({ state })}`)).examples;
export const addGolden = (draft: Draft) => call<Golden>("POST", "/golden", draft);
export const editGolden = (id: string, draft: Draft) => call<Golden>("PUT", at(id), draft);
export const reviewGolden = (id: string) => call<Golden>("POST", at(id, "/review"), {});
export const activateGolden = (id: string, active: boolean) => call<Golden>("POST", at(id, active ? "/activate" : "/deactivate"));
export const removeGolden = (id: string) => call<unknown>("DELETE", at(id));
