// How the page speaks with its server: JSON, problem documents, streams; with the token of whoever signed in.
//
// The token goes into a header of every request, never into an address. Streams are read by fetch for that reason.
import { createParser } from "eventsource-parser";
import { refused, tokenNow } from "./session";

/** An error of the server: a problem document (RFC 9457). Status 0: it did not answer at all. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

/** What the server says in half a sentence, "there is no chat 'a'", as a whole one. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  const begun = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…:]$/.test(begun) || begun === "" ? begun : `${begun}.`;
}

export const said = (error: unknown) => (error instanceof Error ? error.message : String(error));
export const isAbort = (error: unknown) => error instanceof DOMException && error.name === "AbortError";

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const object = (body && typeof body === "object" ? body : {}) as Record<string, unknown>;
  const told = typeof object.detail === "string" ? object.detail : `The server answered ${response.status}.`;
  const detail = sentence(response.status === 403 ? `You may not do this: ${told}` : told);
  return new Problem(response.status, detail, object);
}

export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
  accept?: string,
): Promise<Response> {
  const token = tokenNow();
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (accept) headers.Accept = accept;
  const isForm = body instanceof FormData;
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      signal: signal ?? null,
      body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "The server cannot be reached. Is `precedent serve` still running?");
  }
  if (response.ok) return response;
  if (response.status === 401) refused(token);
  throw await problemOf(response);
}

export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await send(method, path, body, signal)).json()) as T;
}

export interface StreamEvent {
  id: string;
  name: string;
  data: Record<string, unknown>;
}

export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  const waiting: StreamEvent[] = [];
  const parser = createParser({
    onEvent: (event) =>
      waiting.push({ id: event.id ?? "", name: event.event ?? "", data: JSON.parse(event.data) as Record<string, unknown> }),
  });
  if (!response.body) return; // 204: there is no more
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (value) parser.feed(value);
    yield* waiting.splice(0);
    if (done) return;
  }
}

/** "?a=1&b=2" of what is not empty. */
export function query(parameters: Record<string, string | number | undefined>): string {
  const set = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return set.length === 0 ? "" : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}
