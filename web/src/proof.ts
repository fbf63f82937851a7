// Where in a receipt's text the proof of a claim stands, by lines.
import type { Claim, Proof, Receipt, Source } from "./api";
import { unitsOf } from "./utf8";

export interface ProofLine {
  text: string;
  proves: boolean;
}

interface Span {
  begin: number; // of UTF-16 units; end exclusive
  end: number;
}

const kFewest = 24; // letters of a quotation; shorter ones stand anywhere

/** Letters and digits only, each with its place: Markdown, spaces and line breaks may differ between a text and its quotation. */
function bare(text: string): { letters: string; at: number[] } {
  let letters = "";
  const at: number[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}]/gu)) {
    for (let i = 0; i < match[0].length; i++) at.push(match.index + i);
    letters += match[0];
  }
  return { letters: letters.toLowerCase(), at };
}

/** Where the words of a claim stand: all of them, or the longest of its sentences or clauses that does. */
function quoted(text: string, claim: string): Span | undefined {
  const within = bare(text);
  const without = claim.replace(/\[[^\]\n]*\]/g, "");
  const pieces = [without, ...without.split(/(?<=[.!?])\s+|:\s+|;\s+|\n/)].map((piece) => bare(piece).letters);
  for (const piece of pieces.filter((one) => one.length >= kFewest).sort((one, other) => other.length - one.length)) {
    const from = within.letters.indexOf(piece);
    if (from >= 0) return { begin: within.at[from]!, end: within.at[from + piece.length - 1]! + 1 };
  }
  return undefined;
}

/** Where the text tells of a source: by its path and line, or by its id. */
function told(text: string, source: Source): Span | undefined {
  const names = [
    source.path && source.lines && `${source.path}:${source.lines.begin}`,
    source.id,
    source.id.slice(0, 10),
    source.path,
  ];
  for (const name of names) {
    if (!name || name.length < 3) continue;
    // "a.md:1" is not in "a.md:17".
    const found = new RegExp(`${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\d)`).exec(text);
    if (found) return { begin: found.index, end: found.index + name.length };
  }
  return undefined;
}

export interface Sought {
  proofs: Proof[];
  claim?: Claim;
  source?: Source;
  within?: string; // the sentence that cites the source
}

/** What of a cited source the sentence quotes: behind where the text tells of it. */
function quotedOf(text: string, source: Source, within: string): Span | undefined {
  const from = told(text, source)?.end ?? 0;
  const span = quoted(text.slice(from), within);
  return span && { begin: from + span.begin, end: from + span.end };
}

function spansOf(receipt: Receipt, text: string, sought: Sought): Span[] {
  const own = sought.proofs.filter((proof) => proof.receipt === receipt.id);
  const unit = unitsOf(text);
  const exact = own.flatMap(({ bytes }) => (bytes ? [{ begin: unit(bytes.begin), end: unit(bytes.end) }] : []));
  if (exact.length > 0) return exact;
  const { claim, source, within } = sought;
  const found =
    (claim && quoted(text, claim.text)) ?? (source && ((within && quotedOf(text, source, within)) || told(text, source)));
  return found ? [found] : [];
}

/** The text's lines; which of them hold the proof. */
export function proofLines(receipt: Receipt, sought: Sought): ProofLine[] {
  const text = receipt.text ?? "";
  const spans = spansOf(receipt, text, sought);
  let begin = 0;
  return text.split("\n").map((line) => {
    const end = begin + line.length;
    const proves = spans.some((span) => span.begin < end && begin < span.end);
    begin = end + 1;
    return { text: line, proves };
  });
}
