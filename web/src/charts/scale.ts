/** A round number at or above `top`, for the end of an axis. */
export function ceiling(top: number): number {
  if (top <= 4) return 4;
  const size = 10 ** Math.floor(Math.log10(top));
  for (const step of [1, 2, 4, 6, 8, 10]) {
    if (step * size >= top) return step * size;
  }
  return 10 * size;
}

/** The days from `since` to `until`, each as `2026-03-14`. */
export function daysBetween(since: Date, until: Date): string[] {
  const out: string[] = [];
  for (let at = Date.parse(since.toISOString().slice(0, 10)); at <= until.getTime(); at += 86_400_000) {
    out.push(new Date(at).toISOString().slice(0, 10));
  }
  return out;
}
