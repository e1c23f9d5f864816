import type { Hit } from "./types";

/** Below this similarity (of at most 0.5) a hit that shares no word with the question is only the nearest of what there is. */
const SIMILAR = 0.4;
/** A hit with less than this share of the best score is far from what was asked. */
const CLOSE = 0.35;

export interface Sorted {
  relevant: Hit[];
  /** Nearest, but probably not what was asked for. */
  weak: Hit[];
}

const shares = (hit: Hit): boolean => !hit.why || "words" in hit.why.lists || "graph" in hit.why.lists || (hit.why.parts.meaning ?? 0) >= SIMILAR;

/** Tell what answers a question from what is merely nearest: a ranking always has a first place. */
export function byRelevance(hits: readonly Hit[]): Sorted {
  const best = Math.max(0, ...hits.filter(shares).map(({ score }) => score));
  const relevant = hits.filter((hit) => shares(hit) && hit.score >= best * CLOSE);
  return { relevant, weak: hits.filter((hit) => !relevant.includes(hit)) };
}

/** The words to highlight: those the server matched, without its stop words; a question of one word is that word. */
export function matchedWords(query: string, hits: readonly Hit[]): string[] {
  const matched = new Set(hits.flatMap(({ why }) => why?.terms ?? []));
  const words = query.trim().split(/\s+/);
  return words.length === 1 ? [...matched, ...words] : [...matched];
}
