// What the page asks of the server (docs/server.md, /openapi.json).
import { call, eventsOf, send, type StreamEvent } from "./net";

export interface Range {
  begin: number;
  end: number;
}
/** Byte ranges are of UTF-8, as the server counts them (utf8.ts). */
export interface Proof {
  receipt: string;
  bytes?: Range; // of the receipt's text; a quotation is only known to stand in it
}
export type Verdict = "supported" | "hypothesis" | "unsupported" | "general_knowledge";
export interface Claim {
  bytes: Range;
  text: string;
  kind: string;
  verdict: Verdict;
  reason: string;
  proofs: Proof[];
}
export interface Receipt {
  id: string;
  tool: string;
  args: Record<string, unknown>;
  at: string;
  status: string;
  note?: string;
  text?: string;
  result?: Record<string, unknown>;
}
export interface Source {
  id: string;
  title: string;
  type: string;
  path?: string;
  lines?: Range;
  receipt?: string;
  link?: string; // where it lives
  version?: string;
}
export interface PlannedCall {
  tool: string;
  args: Record<string, unknown>;
  purpose: string;
}
export interface Intent {
  question_type: string;
  subjects: string[];
}
export interface Grounding {
  grounded: boolean;
  claims: number;
  supported: number;
  hypothesis: number;
  unsupported: number;
  unmet_rules?: string[];
}
/** A part of an answer's text, and what kind of part: "steps", "sources". */
export interface Section {
  type: string;
  text: string;
}
export interface Answer {
  answer: string;
  chat_id: string;
  turn_id: string;
  title: string;
  status: "ok" | "needs_input" | "refused" | "not_found" | string;
  intent?: Intent;
  plan: PlannedCall[];
  claims: Claim[];
  sections: Section[];
  grounding: Grounding | null;
  receipts: Receipt[];
  sources: Source[];
  missing: string[];
}
export interface ChatSummary {
  chat_id: string;
  title: string;
  updated: string;
  messages: number;
}
export interface KeptChat {
  chat_id: string;
  title: string;
  archived: boolean;
  messages: { role: string; content: string }[];
  receipts: Receipt[];
  running_turn: string | null;
}

const at = (chat: string, rest: string) => `/chat/${encodeURIComponent(chat)}${rest}`;

/** Asks, and tells what happens. Leaving the stream does not stop the turn. */
export async function* ask(chat: string, message: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  yield* eventsOf(await send("POST", "/chat/prompt/stream", { message, session_id: chat }, signal));
}

/** Joins the running turn of a chat, or reads its last one again. */
export async function* follow(chat: string, after: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const query = after ? `?after=${encodeURIComponent(after)}` : "";
  yield* eventsOf(await send("GET", at(chat, `/stream${query}`), undefined, signal));
}

export const chats = (search: string, offset: number) =>
  call<{ chats: ChatSummary[]; next_offset: number | null }>(
    "GET",
    `/chat/?limit=30&offset=${offset}&search=${encodeURIComponent(search)}`,
  );
export const kept = (chat: string) => call<KeptChat>("GET", `/chat/messages/${encodeURIComponent(chat)}`);
/** The answer to the nth question of a chat, from 1, with its evidence. */
export const answerTo = (chat: string, n: number, signal: AbortSignal) =>
  call<Record<string, unknown>>("GET", at(chat, `/answers/${n}`), undefined, signal);
export const rename = (chat: string, title: string) =>
  call<unknown>("PUT", `/chat/rename/${encodeURIComponent(chat)}`, { title });
export const archive = (chat: string) => call<unknown>("DELETE", `/chat/archive/${encodeURIComponent(chat)}`);
export const stop = (chat: string) => call<unknown>("POST", at(chat, "/cancel"));
/** Thumbs on an answer. Question and answer are named where the answer is not the chat's last one. */
export const judge = (feedback: {
  chat_id: string;
  verdict: "up" | "down";
  reason: string;
  question?: string;
  answer?: string;
}) => call<unknown>("POST", "/feedback", feedback);
/** A copy; with `questions`, of only so many questions and what was answered. */
export const fork = (chat: string, questions?: number) =>
  call<{ chat_id: string }>("POST", at(chat, "/fork"), questions === undefined ? undefined : { questions });
export interface Readiness {
  ready: boolean;
  parts: { name: string; ready: boolean; detail: string }[];
}
/** What is not ready is told with 503, and is an answer all the same. */
export async function readiness(): Promise<Readiness> {
  const response = await fetch("/readyz");
  return (await response.json()) as Readiness;
}
