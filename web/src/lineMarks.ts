// A rehype plugin that gives each block of a Markdown text the line on which it begins, and marks those within some lines.
import type { Lines } from "./place";

interface Node {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
  position?: { start: { line: number }; end: { line: number } };
}

const blocks = new Set(["p", "li", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "tr", "blockquote"]);

/** Lines count from 1 within the text. A block that holds smaller ones leaves the mark to them, unless all of it is meant. */
export function lineMarks(lines: Lines | undefined) {
  const touches = (node: Node) =>
    lines !== undefined &&
    node.position !== undefined &&
    node.position.start.line <= lines.end &&
    lines.begin <= node.position.end.line;
  const isWhole = (node: Node) => touches(node) && lines!.begin <= node.position!.start.line && node.position!.end.line <= lines!.end;
  function visit(node: Node): boolean {
    const isBlock = node.tagName !== undefined && blocks.has(node.tagName);
    let within = false;
    if (!isBlock || !isWhole(node))
      for (const child of node.children ?? []) within = visit(child) || within;
    if (within || !isBlock || !touches(node)) return within;
    node.properties = { ...node.properties, dataMarked: "" };
    return true;
  }
  return () => (tree: unknown) => {
    visit(tree as Node);
  };
}
