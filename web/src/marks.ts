// Marks in an answer: a rehype plugin that wraps each claim's words in a span with its number, ends
// it with a place for its proof, and marks each citation, "[R1: p95_latency]" or
// "[runbooks/search.md:17-21]".
import type { Claim, Receipt, Section, Source } from "./api";
import { unitsOf } from "./utf8";

interface Node {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } };
}

interface Span {
  begin: number;
  end: number;
  claim: number;
}

export interface Cited {
  receipt: string; // "": of none that is here
  source?: Source;
}

const isCommit = /^[0-9a-f]{7,40}$/;

/** What the words in brackets stand for; nothing: they are no citation. */
export function citedBy(words: string, sources: Source[], receipts: Receipt[]): Cited | undefined {
  const id = /^(R\d+)(?::|$)/.exec(words)?.[1];
  if (id && receipts.some((receipt) => receipt.id === id)) return { receipt: id };
  const source = sources.find(
    (one) =>
      one.id === words ||
      one.path === words ||
      (one.path && one.lines && words.startsWith(`${one.path}:${one.lines.begin}`)) ||
      (isCommit.test(words) && one.id.startsWith(words)),
  );
  return source ? { receipt: source.receipt ?? "", source } : undefined;
}

const element = (tagName: string, properties: Record<string, unknown>, children: Node[]): Node => ({
  type: "element",
  tagName,
  properties,
  children,
});
const words = (value: string): Node => ({ type: "text", value });

function withCitations(value: string, isCitation: (words: string) => boolean, within?: number): Node[] {
  const parts: Node[] = [];
  let from = 0;
  for (const match of value.matchAll(/\[([^[\]\n]+)\]/g)) {
    if (!isCitation(match[1]!)) continue;
    if (match.index > from) parts.push(words(value.slice(from, match.index)));
    parts.push(element("cite", { dataCites: match[1]!, dataWithin: within }, [words(match[1]!)]));
    from = match.index + match[0].length;
  }
  if (from < value.length) parts.push(words(value.slice(from)));
  return parts;
}

// Of these the page tells on request: each citation opens its source anyway.
const folded: Record<string, string> = { sources: "Sources" };

export function marks(options: { text: string; claims: Claim[]; sources: Source[]; receipts: Receipt[]; sections: Section[] }) {
  const { text, claims, sources, receipts, sections } = options;
  const unit = unitsOf(text);
  const spans: Span[] = claims.map((claim, i) => ({ begin: unit(claim.bytes.begin), end: unit(claim.bytes.end), claim: i }));
  const isCitation = (cited: string) => citedBy(cited, sources, receipts) !== undefined;
  let last = new Map<number, Node>(); // of each claim, its last piece

  function claimed(claim: number, value: string): Node {
    const piece = element("span", { dataClaim: claim }, withCitations(value, isCitation, claim));
    if (value.trim()) last.set(claim, piece);
    return piece;
  }

  function marked(node: Node): Node[] {
    const value = node.value!;
    const begin = node.position?.start.offset;
    const until = node.position?.end.offset;
    // Where Markdown's escapes or entities make the text differ from its source, no position in it
    // is known but its ends.
    const exact = begin !== undefined && until !== undefined && text.slice(begin, until) === value;
    if (!exact) {
      const whole = spans.find((span) => begin !== undefined && until !== undefined && span.begin <= begin && until <= span.end);
      return whole ? [claimed(whole.claim, value)] : withCitations(value, isCitation);
    }
    const parts: Node[] = [];
    let from = 0;
    for (const span of spans) {
      const first = Math.max(span.begin - begin, from);
      const end = Math.min(span.end - begin, value.length);
      if (first >= end) continue;
      parts.push(...withCitations(value.slice(from, first), isCitation));
      parts.push(claimed(span.claim, value.slice(first, end)));
      from = end;
    }
    parts.push(...withCitations(value.slice(from), isCitation));
    return parts;
  }

  function visit(node: Node): void {
    if (!node.children) return;
    if (node.tagName === "pre") return;
    const inCode = node.tagName === "code";
    node.children = node.children.flatMap((child) => {
      if (child.type !== "text" || inCode) {
        visit(child);
        return [child];
      }
      return marked(child);
    });
  }
  function fold(root: Node): void {
    for (const section of sections) {
      const name = folded[section.type];
      const begin = name === undefined ? -1 : text.lastIndexOf(section.text);
      if (begin < 0) continue;
      const inside = (node: Node) => {
        const offset = node.position?.start.offset ?? -1;
        return offset >= begin && offset < begin + section.text.length;
      };
      const first = root.children!.findIndex(inside);
      if (first < 0) continue;
      const count = root.children!.findLastIndex(inside) - first + 1;
      const inner = root.children!.slice(first, first + count);
      if (inner[0]!.tagName === "p") inner.shift(); // the heading
      const summary = element("summary", {}, [words(name!)]);
      root.children!.splice(first, count, element("details", {}, [summary, ...inner]));
    }
  }

  return () => (tree: unknown) => {
    last = new Map();
    visit(tree as Node);
    for (const [claim, piece] of last) piece.children!.push(element("mark", { dataProof: claim }, []));
    fold(tree as Node);
  };
}
