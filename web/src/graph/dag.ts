export interface Box {
  id: string;
  x: number;
  y: number;
}

export interface Arrow {
  from: string;
  to: string;
  /** Places it passes on its way, so that it goes between the boxes and not across them. */
  through: { x: number; y: number }[];
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
  const column = depths(steps, known);
  const before = new Map<string, string[]>();
  const columns: string[][] = [];
  const place = (id: string, at: number, from: string[]) => {
    (columns[at] ??= []).push(id);
    before.set(id, from);
  };
  const paths: { from: string; to: string; way: string[] }[] = [];
  for (const one of steps) {
    const last: string[] = [];
    for (const from of one.depends_on.filter((id) => known.has(id))) {
      const way: string[] = [];
      for (let at = column.get(from)! + 1; at < column.get(one.id)!; at++) {
        const passing = `${from}\n${one.id}\n${at}`; // a step's id holds no line break
        place(passing, at, [way[way.length - 1] ?? from]);
        way.push(passing);
      }
      paths.push({ from, to: one.id, way });
      last.push(way[way.length - 1] ?? from);
    }
    place(one.id, column.get(one.id)!, last);
  }
  for (let at = 0; at < columns.length; at++) columns[at] ??= []; // only a circle leaves one empty
  const row = order(columns, before);
  return {
    boxes: steps.map((one) => ({ id: one.id, x: column.get(one.id)!, y: row.get(one.id)! })),
    arrows: paths.map(({ from, to, way }) => ({
      from,
      to,
      through: way.map((one, at) => ({ x: column.get(from)! + 1 + at, y: row.get(one)! })),
    })),
    columns: columns.length,
    rows: Math.max(0, ...columns.map((ids) => ids.length)),
  };
}

function depths(steps: readonly Given[], known: Map<string, Given>): Map<string, number> {
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
  return column;
}

/** In each column, rows in the order of the middle of what comes before. */
function order(columns: string[][], before: Map<string, string[]>): Map<string, number> {
  const row = new Map<string, number>();
  for (const ids of columns) {
    const middle = (id: string): number => {
      const rows = before.get(id)!.map((one) => row.get(one) ?? 0);
      return rows.length ? rows.reduce((sum, at) => sum + at, 0) / rows.length : 0;
    };
    const sorted = ids.map((id, at) => ({ id, at, middle: middle(id) })).sort((a, b) => a.middle - b.middle || a.at - b.at);
    sorted.forEach((one, at) => row.set(one.id, at));
  }
  return row;
}
