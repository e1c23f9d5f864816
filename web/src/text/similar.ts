/** Groups of short texts that are about the same thing, by the words they share; rare words count more than common ones. */

const SHARED = 0.2;
/** Forms of a word begin alike in every language we have: "allergic", "allergy". */
const STEM = 6;

/** The words of a text by their beginnings. */
const wordsOf = (text: string): Map<string, string> => new Map((text.match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => [word.toLocaleLowerCase().slice(0, STEM), word]));

export interface Similar<T> {
  /** The largest first; `words` are what its members have in common. */
  groups: { words: string[]; items: T[] }[];
  /** What resembles nothing else. */
  rest: T[];
}

export function similar<T>(items: readonly T[], textOf: (item: T) => string): Similar<T> {
  const texts = items.map((item) => wordsOf(textOf(item)));
  const stems = texts.map((words) => [...words.keys()]);
  const counts = new Map<string, number>();
  for (const stem of stems.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const weight = (stem: string): number => Math.log((1 + items.length) / counts.get(stem)!);
  const size = stems.map((own) => Math.hypot(...own.map(weight)) || 1);
  const closeness = (a: number, b: number): number => stems[a]!.reduce((sum, stem) => sum + (texts[b]!.has(stem) ? weight(stem) ** 2 : 0), 0) / (size[a]! * size[b]!);
  const groups: number[][] = [];
  for (let at = 0; at < items.length; at += 1) {
    // The group it is closest to on average, so that a chain of neighbours does not become one group.
    const [best] = groups.map((group) => ({ group, close: group.reduce((sum, other) => sum + closeness(at, other), 0) / group.length })).sort((a, b) => b.close - a.close);
    if (best && best.close >= SHARED) best.group.push(at);
    else groups.push([at]);
  }
  const common = (group: number[]): string[] => {
    const shared = [...new Set(group.flatMap((at) => stems[at]!))].map((stem) => ({ stem, many: group.filter((at) => texts[at]!.has(stem)).length })).filter(({ many }) => many > 1);
    const best = shared.sort((a, b) => b.many * weight(b.stem) - a.many * weight(a.stem)).slice(0, 3);
    return best.map(({ stem }) => texts[group.find((at) => texts[at]!.has(stem))!]!.get(stem)!);
  };
  const many = groups.filter((group) => group.length > 1).sort((a, b) => b.length - a.length);
  return { groups: many.map((group) => ({ words: common(group), items: group.map((at) => items[at]!) })), rest: groups.filter((group) => group.length === 1).map(([at]) => items[at!]!) };
}
