import { expect, test } from "vitest";
import type { Claim, Receipt } from "./api";
import { proofLines } from "./proof";

const text = [
  "## Search latency (runbook)",
  "**Path**: docs/search.md:17",
  "The most common cause of slowness so far is **cache misconfiguration** (two of three).",
  "**Path**: docs/search.md:1",
  "Bä: 12 s",
].join("\n");
const receipt: Receipt = { id: "R1", tool: "doc_search", args: {}, at: "", status: "ok", text };
const claim = (words: string): Claim => ({
  text: words,
  bytes: { begin: 0, end: 1 },
  kind: "fact",
  verdict: "supported",
  reason: "",
  proofs: [],
});
const proving = (sought: Parameters<typeof proofLines>[1]) =>
  proofLines(receipt, sought).flatMap((line, i) => (line.proves ? [i] : []));

test("bytes of a proof mark their line, whatever stands before", () => {
  const begin = new TextEncoder().encode(text.slice(0, text.indexOf("12 s"))).length;
  expect(proving({ proofs: [{ receipt: "R1", bytes: { begin, end: begin + 4 } }] })).toEqual([4]);
  expect(proving({ proofs: [{ receipt: "R2", bytes: { begin, end: begin + 4 } }] })).toEqual([]);
});

test("a quotation without bytes is found through its Markdown", () => {
  const words =
    "Written about it: the most common cause of slowness so far is cache misconfiguration (two of three). [docs/search.md:17]";
  expect(proving({ proofs: [{ receipt: "R1" }], claim: claim(words) })).toEqual([2]);
});

test("a citation opens what its sentence quotes of the source", () => {
  const source = { id: "kb-1", title: "", type: "runbook", path: "docs/search.md", lines: { begin: 17, end: 21 } };
  const within = "Most common cause of slowness so far is cache misconfiguration. [docs/search.md:17-21]";
  expect(proving({ proofs: [], source, within })).toEqual([2]);
  // What stands before is another's.
  expect(proving({ proofs: [], source: { ...source, lines: { begin: 1, end: 3 } }, within })).toEqual([3]);
  expect(proving({ proofs: [], source, within: "Something else that is not a word of it." })).toEqual([1]);
});

test("a cited source opens where the receipt tells of it", () => {
  const source = { id: "kb-1", title: "", type: "runbook", path: "docs/search.md", lines: { begin: 1, end: 3 } };
  expect(proving({ proofs: [], source })).toEqual([3]);
  expect(proving({ proofs: [], source: { ...source, lines: { begin: 17, end: 21 } } })).toEqual([1]);
});
