export interface Box {
  id: string;
  x: number;
  y: number;
}

export interface Arrow {
  from: string;
  to: string;
}

export interface Drawing {
  boxes: Box[];
  arrows: Arrow[];
  columns: number;
  rows: number;
}

interface Given {
  id: string;
  depends_on: readonly string[];
}

/** Each step one column to the right of what it waits for; rows so that arrows cross little. */
export function dag(steps: readonly Given[]): Drawing {
  const known = new Map(steps.map((one) => [one.id, one]));
  const column = new Map<string, number>();
  const depth = (id: string, path: readonly string[]): number => {
    const had = column.get(id);
    if (had !== undefined) return had;
    if (path.includes(id)) return 0; // the server refuses cycles; never hang on one all the same
    const before = known.get(id)!.depends_on.filter((one) => known.has(one));
    const found = before.length ? 1 + Math.max(...before.map((one) => depth(one, [...path, id]))) : 0;
    column.set(id, found);
    return found;
  };
  for (const one of steps) depth(one.id, []);
  const columns: string[][] = [];
  for (const one of steps) (columns[column.get(one.id)!] ??= []).push(one.id);
  const row = new Map<string, number>();
  for (const ids of columns) {
    const middle = (id: string): number => {
      const before = known.get(id)!.depends_on.map((one) => row.get(one)).filter((at): at is number => at !== undefined);
      return before.length ? before.reduce((sum, at) => sum + at, 0) / before.length : 0;
    };
    const order = ids.map((id, at) => ({ id, at, middle: middle(id) })).sort((a, b) => a.middle - b.middle || a.at - b.at);
    order.forEach((one, at) => row.set(one.id, at));
  }
  return {
    boxes: steps.map((one) => ({ id: one.id, x: column.get(one.id)!, y: row.get(one.id)! })),
    arrows: steps.flatMap((one) => one.depends_on.filter((from) => known.has(from)).map((from) => ({ from, to: one.id }))),
    columns: columns.length,
    rows: Math.max(0, ...columns.map((ids) => ids.length)),
  };
}
