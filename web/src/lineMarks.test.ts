import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import { expect, test } from "vitest";
import { lineMarks } from "./lineMarks";
import type { Lines } from "./place";

const text = "# Drain\n\nFirst words.\n\n- one\n- two\n  - inner\n\nLast words.";
const marked = (lines: Lines | undefined) => {
  const html = renderToStaticMarkup(createElement(Markdown, { rehypePlugins: [lineMarks(lines)] }, text));
  return [...html.matchAll(/<(\w+) data-marked="">([^<]*)/g)].map(([, tag, words]) => [tag, words!.trim()]);
};

test("blocks on the lines are marked, the innermost ones", () => {
  expect(marked({ begin: 3, end: 3 })).toEqual([["p", "First words."]]);
  expect(marked({ begin: 7, end: 7 })).toEqual([["li", "inner"]]);
  expect(marked({ begin: 1, end: 3 })).toEqual([
    ["h1", "Drain"],
    ["p", "First words."],
  ]);
});

test("a block all of which is meant is marked with what it holds", () => {
  expect(marked({ begin: 6, end: 7 })).toEqual([["li", "two"]]);
});

test("without lines nothing is marked", () => {
  expect(marked(undefined)).toEqual([]);
  expect(marked({ begin: 90, end: 91 })).toEqual([]);
});
