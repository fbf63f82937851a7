// What is known: documents, and uploads that become documents (docs/server.md).
import { call, eventsOf, query, send, type StreamEvent } from "./net";
import type { Lines } from "./place";

export interface Listed {
  id: string;
  kind: string;
  title: string;
  path: string;
  source: string;
  services: string[];
  application: string;
  severity: string;
  status: string;
  tags: string[];
  opened_at: string | null;
  relevance?: number;
  snippet?: string;
  lines?: [number, number] | null; // of the snippet in its file
  heading?: string | string[];
}
export interface KnownDocument extends Listed {
  text: string;
  fields: Record<string, unknown>;
}
export const facetNames = ["kind", "service", "severity", "status"] as const;
export type Facet = (typeof facetNames)[number];
export interface Found {
  documents: Listed[];
  total: number;
  next_offset: number | null;
  facets: Partial<Record<Facet, { value: string; documents: number }[]>>;
}

export const documents = (parameters: Record<string, string | number>, signal?: AbortSignal) =>
  call<Found>("GET", `/documents${query(parameters)}`, undefined, signal);
export const documentOf = (id: string) => call<KnownDocument>("GET", `/document${query({ id })}`);
export const removeDocument = (id: string) => call<{ removed: number }>("DELETE", `/document${query({ id })}`);

/** Lines of a file, of what the server calls lines. */
export const range = (lines: [number, number] | null | undefined): Lines | undefined =>
  lines ? { begin: lines[0], end: lines[1] } : undefined;

export interface Column {
  column: string;
  field: string | null;
  how: string;
  example: string;
}
export interface FileProblem {
  where: string;
  field?: string | null;
  message: string;
  severity: string;
}
export interface FileReport {
  name: string;
  format: string;
  kind: string | null;
  how_kind: string;
  records: number;
  documents: number;
  columns: Column[];
  problems: FileProblem[];
  problem_count?: number;
}
export interface Report {
  ready: boolean;
  files: FileReport[];
  required_missing: { field: string; columns: string[] }[];
  fields: string[];
  warnings: string[];
}
export interface Uploaded {
  upload_id: string;
  report: Report;
}

export function upload(files: File[], kind: string, source: string): Promise<Uploaded> {
  const form = new FormData();
  if (kind) form.append("kind", kind);
  if (source) form.append("source", source);
  for (const file of files) form.append("file", file, file.name);
  return call<Uploaded>("POST", "/uploads", form);
}
export const remap = (id: string, map: Record<string, string>) =>
  call<Uploaded>("PUT", `/uploads/${encodeURIComponent(id)}`, { map });
export const forgetUpload = (id: string) => call<unknown>("DELETE", `/uploads/${encodeURIComponent(id)}`);
export async function* ingest(id: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  yield* eventsOf(await send("POST", `/uploads/${encodeURIComponent(id)}/ingest`, undefined, signal));
}

const labels: Record<string, string> = { doc: "document", adr: "decision", faq: "FAQ", known_issue: "known issue" };
export const kindName = (kind: string) => labels[kind] ?? kind.replaceAll("_", " ");
