import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import { expect, test } from "vitest";
import type { Claim, Receipt, Section, Source } from "./api";
import { citedBy, marks } from "./marks";

const receipts: Receipt[] = [{ id: "R1", tool: "doc_search", args: {}, at: "", status: "ok" }];
const sources: Source[] = [
  { id: "kb-1", title: "Drain", type: "runbook", path: "docs/drain.md", lines: { begin: 3, end: 7 }, receipt: "R1" },
  { id: "a3ec5d68378af2739ba3f0186441d446e9c5b65a", title: "A commit", type: "commit", receipt: "R1" },
];

function claim(text: string, of: string): Claim {
  const bytes = new TextEncoder();
  const begin = bytes.encode(of.slice(0, of.indexOf(text))).length;
  return {
    text,
    bytes: { begin, end: begin + bytes.encode(text).length },
    kind: "fact",
    verdict: "supported",
    reason: "",
    proofs: [],
  };
}

function rendered(text: string, claims: Claim[], sections: Section[] = []): string {
  const plugin = marks({ text, claims, sources, receipts, sections });
  return renderToStaticMarkup(createElement(Markdown, { rehypePlugins: [plugin] }, text));
}

test("a claim is marked through emphasis, and ends with one place for its proof", () => {
  const text = "Naïve über **café** ends. Another one.";
  const html = rendered(text, [claim("über **café** ends.", text)]);
  expect(html).toContain('Naïve <span data-claim="0">über </span>');
  expect(html).toContain('<strong><span data-claim="0">café</span></strong>');
  expect(html).toContain('<span data-claim="0"> ends.<mark data-proof="0"></mark></span> Another one.');
});

test("what is cited becomes a citation, other brackets stay", () => {
  const html = rendered("Stop it [docs/drain.md:3-7] then [x] wait [R1: drain] as [a3ec5d6837] says.", []);
  expect(html).toContain('<cite data-cites="docs/drain.md:3-7">docs/drain.md:3-7</cite> then [x] wait');
  expect(html).toContain('<cite data-cites="R1: drain">');
  expect(html).toContain('<cite data-cites="a3ec5d6837">');
});

test("code is shown as it is", () => {
  const text = "Run `stop [R1]` now.";
  expect(rendered(text, [claim(text, text)])).toContain("<code>stop [R1]</code>");
});

test("sources are folded below the answer", () => {
  const list = "**Sources**\n- one\n- two";
  const html = rendered(`It was the feeder.\n\n${list}`, [], [{ type: "sources", text: list }]);
  expect(html).toMatch(
    /<p>It was the feeder.<\/p>\s*<details><summary>Sources<\/summary>.*<li>one<\/li>.*<li>two<\/li>.*<\/details>/s,
  );
  expect(html).not.toContain("<strong>Sources");
});

test("a citation finds its receipt", () => {
  expect(citedBy("R1", sources, receipts)?.receipt).toBe("R1");
  expect(citedBy("R2", sources, receipts)).toBeUndefined();
  expect(citedBy("docs/drain.md", sources, receipts)?.source?.title).toBe("Drain");
  expect(citedBy("a3ec5d", sources, receipts)).toBeUndefined();
});
