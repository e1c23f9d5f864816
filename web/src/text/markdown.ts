/**
 * Markdown as a tree of an allow list: nothing here can become HTML. Raw tags stay the text they are, pictures become
 * their description, and a link keeps its address only if it leads to http, https or mailto.
 */

export type Inline =
  | { type: "text"; text: string }
  | { type: "code"; text: string }
  | { type: "strong" | "em" | "del"; children: Inline[] }
  | { type: "link"; to: string; children: Inline[] }
  | { type: "break" };

export type Block =
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "paragraph"; children: Inline[] }
  | { type: "code"; text: string }
  | { type: "quote"; children: Block[] }
  | { type: "list"; ordered: boolean; start: number; items: Item[] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

export interface Item {
  checked: boolean | null;
  children: Block[];
}

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(\s+|$)(.*)$/;
const TABLE_LINE = /^ {0,3}\|?(\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;
const DEEPEST = 12;

export function blocks(text: string, depth = 0): Block[] {
  return read(text.replaceAll("\t", "    ").split(/\r\n|\n|\r/), depth);
}

function read(lines: string[], depth: number): Block[] {
  if (depth > DEEPEST) return [{ type: "paragraph", children: [{ type: "text", text: lines.join("\n") }] }];
  const out: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (!line.trim()) {
      at += 1;
    } else if (FENCE.test(line)) {
      at = fence(lines, at, out);
    } else if (HEADING.test(line)) {
      const [, marks, words] = HEADING.exec(line)!;
      out.push({ type: "heading", level: marks!.length, children: inline(words!) });
      at += 1;
    } else if (RULE.test(line)) {
      out.push({ type: "rule" });
      at += 1;
    } else if (QUOTE.test(line)) {
      const inner: string[] = [];
      while (at < lines.length && QUOTE.test(lines[at]!)) inner.push(lines[at++]!.replace(QUOTE, ""));
      out.push({ type: "quote", children: read(inner, depth + 1) });
    } else if (ITEM.test(line)) {
      at = list(lines, at, out, depth);
    } else if (line.includes("|") && TABLE_LINE.test(lines[at + 1] ?? "")) {
      at = table(lines, at, out);
    } else {
      const inner: string[] = [];
      while (at < lines.length && lines[at]!.trim() && (inner.length === 0 || !starts(lines[at]!))) inner.push(lines[at++]!.trim());
      out.push({ type: "paragraph", children: inline(inner.join("\n")) });
    }
  }
  return out;
}

const starts = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);

function fence(lines: string[], at: number, out: Block[]): number {
  const mark = FENCE.exec(lines[at]!)![1]!;
  const inner: string[] = [];
  let next = at + 1;
  while (next < lines.length && !lines[next]!.trim().startsWith(mark)) inner.push(lines[next++]!);
  out.push({ type: "code", text: inner.join("\n") });
  return next + 1;
}

function list(lines: string[], at: number, out: Block[], depth: number): number {
  const [, , first] = ITEM.exec(lines[at]!)!;
  const ordered = /\d/.test(first!);
  const items: Item[] = [];
  let next = at;
  while (next < lines.length) {
    const found = ITEM.exec(lines[next]!);
    if (!found || /\d/.test(found[2]!) !== ordered || RULE.test(lines[next]!)) break;
    const indent = found[1]!.length + found[2]!.length + 1;
    const inner = [found[4]!];
    next += 1;
    while (next < lines.length) {
      const line = lines[next]!;
      const deep = line.length - line.trimStart().length;
      if (!line.trim()) {
        const after = lines[next + 1] ?? "";
        if (!after.trim() || after.length - after.trimStart().length < indent) break;
        inner.push("");
      } else if (deep >= Math.min(indent, 2)) inner.push(line.slice(Math.min(deep, indent)));
      else if (starts(line)) break;
      else inner.push(line.trim());
      next += 1;
    }
    const task = /^\[([ xX])\]\s+/.exec(inner[0]!);
    if (task) inner[0] = inner[0]!.slice(task[0].length);
    items.push({ checked: task ? task[1] !== " " : null, children: read(inner, depth + 1) });
    while (next < lines.length && !lines[next]!.trim() && ITEM.test(lines[next + 1] ?? "")) next += 1;
  }
  out.push({ type: "list", ordered, start: ordered ? Number.parseInt(first!, 10) : 1, items });
  return next;
}

function table(lines: string[], at: number, out: Block[]): number {
  const cells = (line: string): Inline[][] =>
    line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((one) => inline(one.trim().replaceAll("\\|", "|")));
  const head = cells(lines[at]!);
  const rows: Inline[][][] = [];
  let next = at + 2;
  while (next < lines.length && lines[next]!.includes("|") && lines[next]!.trim()) {
    rows.push(cells(lines[next++]!).slice(0, head.length));
  }
  out.push({ type: "table", head, rows });
  return next;
}

/** The address if it may be followed, else null. */
export function safeLink(to: string): string | null {
  // Browsers skip control characters and blanks inside a scheme: `java\nscript:` is `javascript:` to them.
  const bare = to.replace(/[\u0000-\u0020\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g, "");
  return /^(https?:\/\/[^/]|mailto:[^/])/i.test(bare) ? bare : null;
}

const INLINE =
  /\\([\\`*_{}[\]()#+\-.!|~<>])|(`+)([\s\S]*?[^`])\2(?!`)|(!?)\[((?:[^[\]\\]|\\.){0,400})\]\(\s*<?([^\s()<>]{0,2000}(?:\([^\s()]*\)[^\s()]*)?)>?(?:\s+"[^"]*")?\s*\)|<(https?:\/\/[^\s<>]+)>|(\*\*|__)(?=\S)([\s\S]*?\S)\8|(~~)(?=\S)([\s\S]*?\S)~~|(?<![\p{L}\p{N}])([*_])(?=\S)([\s\S]*?\S)\12(?![\p{L}\p{N}])|(\bhttps?:\/\/[^\s<>"')\]]+)|( {2,}\n|\n)/gu;

export function inline(text: string, depth = 0): Inline[] {
  if (depth > DEEPEST || text.length > 100_000) return [{ type: "text", text }];
  const out: Inline[] = [];
  let from = 0;
  const plain = (words: string) => words && out.push({ type: "text", text: words });
  for (const found of text.matchAll(INLINE)) {
    plain(text.slice(from, found.index));
    from = found.index + found[0].length;
    const [whole, escaped, , code, picture, label, to, angle, , strong, , del, , em, bare, line] = found;
    if (escaped !== undefined) plain(escaped);
    else if (code !== undefined) out.push({ type: "code", text: code.trim() });
    else if (label !== undefined) {
      const safe = picture ? null : safeLink(to ?? "");
      if (safe) out.push({ type: "link", to: safe, children: inline(label, depth + 1) });
      else if (picture) plain(label);
      else out.push(...inline(label, depth + 1));
    } else if (angle !== undefined || bare !== undefined) {
      const address = (angle ?? bare)!;
      const safe = safeLink(address);
      if (safe) out.push({ type: "link", to: safe, children: [{ type: "text", text: address }] });
      else plain(whole);
    } else if (strong !== undefined) out.push({ type: "strong", children: inline(strong, depth + 1) });
    else if (del !== undefined) out.push({ type: "del", children: inline(del, depth + 1) });
    else if (em !== undefined) out.push({ type: "em", children: inline(em, depth + 1) });
    else if (line !== undefined) out.push(line.length > 1 ? { type: "break" } : { type: "text", text: " " });
  }
  plain(text.slice(from));
  return out;
}
