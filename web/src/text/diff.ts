export interface Part {
  text: string;
  kind: "same" | "gone" | "new";
}

/** What changed from one text to another, in words, with neighbours of the same kind joined. */
export function diff(before: string, after: string): Part[] {
  const a = words(before);
  const b = words(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return join([
    ...a.slice(0, head).map((text): Part => ({ text, kind: "same" })),
    ...middle,
    ...a.slice(a.length - tail).map((text): Part => ({ text, kind: "same" })),
  ]);
}

const words = (text: string): string[] => text.match(/[\p{L}\p{N}_'’-]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

// Beyond this the table of the comparison would not fit; old and new are then shown whole.
const LIMIT = 1_500_000;

function between(a: string[], b: string[]): Part[] {
  if (a.length * b.length > LIMIT || !a.length || !b.length) {
    return [
      ...a.map((text): Part => ({ text, kind: "gone" })),
      ...b.map((text): Part => ({ text, kind: "new" })),
    ];
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const out: Part[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ text: a[i]!, kind: "same" });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      out.push({ text: a[i]!, kind: "gone" });
      i += 1;
    } else {
      out.push({ text: b[j]!, kind: "new" });
      j += 1;
    }
  }
  return readable(out);
}

/** A lone space kept between two changed words makes confetti: count it as changed on both sides. */
function readable(parts: Part[]): Part[] {
  const changed = (one: Part | undefined): boolean => one !== undefined && one.kind !== "same";
  const out: Part[] = [];
  let gone: Part[] = [];
  let fresh: Part[] = [];
  const flush = () => {
    out.push(...gone, ...fresh);
    gone = [];
    fresh = [];
  };
  parts.forEach((one, at) => {
    if (one.kind === "gone") gone.push(one);
    else if (one.kind === "new") fresh.push(one);
    else if (/^\s+$/.test(one.text) && changed(parts[at - 1]) && changed(parts[at + 1])) {
      gone.push({ text: one.text, kind: "gone" });
      fresh.push({ text: one.text, kind: "new" });
    } else {
      flush();
      out.push(one);
    }
  });
  flush();
  return out;
}

function join(parts: Part[]): Part[] {
  const out: Part[] = [];
  for (const one of parts) {
    const last = out[out.length - 1];
    if (last?.kind === one.kind) last.text += one.text;
    else out.push({ ...one });
  }
  return out;
}
