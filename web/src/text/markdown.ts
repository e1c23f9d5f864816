/**
 * Markdown of unknown origin, parsed by micromark into a tree (CommonMark and GFM). Nothing of it becomes HTML: raw tags
 * stay the text they are, pictures become their description, and a link keeps its address only if it leads to http,
 * https or mailto.
 */
import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** A text with more markers than this in one line is no writing, and parsers take long over it: it is shown as it is. */
const MOST_MARKERS = 500;

export function parse(text: string): Root {
  const hostile = text.split("\n").some((line) => (line.match(/[[\]*_`~>|<-]/g)?.length ?? 0) > MOST_MARKERS);
  if (hostile) return { type: "root", children: [{ type: "paragraph", children: [{ type: "text", value: text }] }] };
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** The address of a link, if it is one that may be followed. */
export function safeLink(address: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(address)) return null;
  try {
    return ["http:", "https:", "mailto:"].includes(new URL(address).protocol) ? address : null;
  } catch {
    return null;
  }
}
