// Tables, strikethrough, task lists and bare links in Markdown: remark-gfm without its writing half, which a page that only
// reads would load for nothing.
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Processor } from "unified";

interface Extensions {
  micromarkExtensions?: unknown[];
  fromMarkdownExtensions?: unknown[];
}

export default function readGfm(this: Processor) {
  const data = this.data() as Extensions;
  (data.micromarkExtensions ??= []).push(gfm());
  (data.fromMarkdownExtensions ??= []).push(gfmFromMarkdown());
}
