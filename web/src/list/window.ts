export interface Window {
  from: number;
  to: number;
}

/** Which rows of equal height stand in view, with `spare` more on either side. */
export function windowOf(top: number, view: number, row: number, count: number, spare = 6): Window {
  const from = Math.max(0, Math.min(count, Math.floor(top / row)) - spare);
  const to = Math.min(count, Math.ceil((Math.max(0, top) + view) / row) + spare);
  return { from: Math.min(from, to), to };
}

/** Where to scroll so that row `at` is wholly in view; the same place if it already is. */
export function reveal(at: number, top: number, view: number, row: number): number {
  if (at * row < top) return at * row;
  if ((at + 1) * row > top + view) return (at + 1) * row - view;
  return top;
}
