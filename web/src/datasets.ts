// Versions of the incident data, as the server has them (docs/datasets.md).
import { call, eventsOf, send, type StreamEvent } from "./net";

export interface VersionProblem {
  file: string;
  line: number;
  field: string;
  value: string;
  rule: string;
  message: string;
  severity: string;
}
export interface VersionReport {
  problems: VersionProblem[];
  problem_count: number;
  coverage: Record<string, number>;
  unmapped_columns: string[];
  secrets: number;
}
export interface Version {
  version: number;
  name: string;
  state: string;
  records: number;
  bad: number;
  bare: number;
  sources: { path: string }[];
  created_by: string;
  created_at: string;
  notes: string;
  activations: { at: string; by: string; back: boolean; forced: boolean; why: string }[];
  report?: VersionReport;
}
export interface Difference {
  from: number;
  to: number;
  added: string[];
  changed: string[];
  vanished: string[];
  replaced: string[];
}
export interface VersionDraft {
  upload_id: string;
  name: string;
  notes: string;
  mapping: string;
}

export const versions = async () => (await call<{ versions: Version[] }>("GET", "/datasets")).versions;
export const versionOf = (number: number) =>
  Promise.all([call<Version>("GET", `/datasets/${number}`), call<Difference>("GET", `/datasets/${number}/difference`)]);
export const createVersion = (draft: VersionDraft) => call<Version>("POST", "/datasets", draft);
export const guessMapping = async (upload_id: string) =>
  (await call<{ mapping: string }>("POST", "/datasets/guess", { upload_id })).mapping;
/** Reads its files again; what forbids to activate it is said then. */
export const validate = (number: number) =>
  call<Version & { refused_by_limit: string }>("POST", `/datasets/${number}/validate`);
export const discard = (number: number) => call<Version>("DELETE", `/datasets/${number}`);
export const activate = (number: number, more: object = {}) => call<Version>("POST", `/datasets/${number}/activate`, more);
export const goBackTo = (version: number) => call<Version>("POST", "/datasets/rollback", { version });
export async function* ingesting(number: number, int8: boolean, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  yield* eventsOf(await send("POST", `/datasets/${number}/ingest`, { int8 }, signal, "text/event-stream"));
}

/** How a state is coloured: as that of a golden example is. */
export const kindOfState = (state: string) =>
  state === "active" ? "served" : state === "failed" || state === "discarded" ? "inactive" : "pending";
