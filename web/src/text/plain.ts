/** Memory text is untrusted. What could hide or turn other text around is made visible. */

// Marks that reorder or hide text: bidi controls, zero-width characters, soft hyphen, tags, C0 and C1 controls.
const TRICKS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

export type Piece = { text: string } | { mark: string };

export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(TRICKS)) {
    if (found.index > from) out.push({ text: text.slice(from, found.index) });
    out.push({ mark: `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}` });
    from = found.index + found[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from) });
  return out;
}

/** Whether a text is an id, which tells a person nothing. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** At most `limit` characters, never half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

export interface Span {
  text: string;
  hit: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** The text in spans, those that meet a word of the question (or begin like it) marked. */
export function highlight(text: string, words: readonly string[]): Span[] {
  const stems = words.flatMap((one) => fold(one).match(WORD) ?? []).filter((one) => one.length > 1).map(stem);
  if (!stems.length) return [{ text, hit: false }];
  const out: Span[] = [];
  let from = 0;
  for (const found of text.matchAll(WORD)) {
    const plain = fold(found[0]);
    if (!stems.some((one) => plain.startsWith(one))) continue;
    if (found.index > from) out.push({ text: text.slice(from, found.index), hit: false });
    out.push({ text: found[0], hit: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), hit: false });
  return out;
}

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Enough of a word to meet its other endings: "planning" meets "planned". */
const stem = (word: string): string => (word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word);
