/**
 * A force-directed layout: springs along edges, repulsion between all nodes (Barnes–Hut, so that thousands of them cost
 * n·log n), a weak pull to the middle. Deterministic: the same graph comes to the same picture.
 */

export interface Layout {
  x: Float32Array;
  y: Float32Array;
  step(): number;
}

const THETA2 = 0.81;
const REPULSION = 90;
const SPRING = 0.7;
const LENGTH = 56;
const GRAVITY = 0.02;
const FRICTION = 0.6;

/** Where some nodes lay before, as pairs; NaN for one that is new. */
export type Before = Float32Array;

export function layout(count: number, edges: Uint32Array, before?: Before): Layout {
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const vx = new Float32Array(count);
  const vy = new Float32Array(count);
  const degree = new Float32Array(count);
  for (const end of edges) degree[end]! += 1;
  for (let i = 0; i < count; i++) {
    // A sunflower: evenly spread, no two alike, no chance needed.
    const radius = 14 * Math.sqrt(i + 0.5);
    x[i] = radius * Math.cos(i * 2.399963);
    y[i] = radius * Math.sin(i * 2.399963);
  }
  const known = before ? settle(before, edges, x, y) : 0;
  let heat = known > count / 2 ? 0.2 : 1; // what lies well already is only nudged
  const step = (): number => {
    const tree = plant(x, y, count);
    for (let i = 0; i < count; i++) push(tree, i, x, y, vx, vy, heat);
    for (let e = 0; e < edges.length; e += 2) pull(edges[e]!, edges[e + 1]!, x, y, vx, vy, degree, heat);
    let moved = 0;
    for (let i = 0; i < count; i++) {
      vx[i] = (vx[i]! - x[i]! * GRAVITY * heat) * FRICTION;
      vy[i] = (vy[i]! - y[i]! * GRAVITY * heat) * FRICTION;
      const speed = Math.hypot(vx[i]!, vy[i]!);
      const cap = speed > 40 ? 40 / speed : 1;
      x[i]! += vx[i]! * cap;
      y[i]! += vy[i]! * cap;
      moved += Math.min(speed, 40);
    }
    heat *= 0.985;
    return count ? moved / count : 0;
  };
  return { x, y, step };
}

/** Put those that are known where they lay, and a new one beside the first it is tied to; how many are known. */
function settle(before: Before, edges: Uint32Array, x: Float32Array, y: Float32Array): number {
  let known = 0;
  const lies = (i: number): boolean => !Number.isNaN(before[i * 2]!);
  for (let i = 0; i < x.length; i++) {
    if (!lies(i)) continue;
    x[i] = before[i * 2]!;
    y[i] = before[i * 2 + 1]!;
    known += 1;
  }
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [edges[e]!, edges[e + 1]!];
    const [from, to] = lies(a) ? [a, b] : [b, a];
    if (!lies(from) || lies(to)) continue;
    x[to] = x[from]! + (LENGTH / 2) * Math.cos(to * 2.399963);
    y[to] = y[from]! + (LENGTH / 2) * Math.sin(to * 2.399963);
  }
  return known;
}

function pull(a: number, b: number, x: Float32Array, y: Float32Array, vx: Float32Array, vy: Float32Array, degree: Float32Array, heat: number): void {
  const dx = x[b]! - x[a]!;
  const dy = y[b]! - y[a]!;
  const distance = Math.hypot(dx, dy) || 0.01;
  // Softer where many ties pull, or a hub would shake.
  const force = (SPRING * heat * (distance - LENGTH)) / distance / Math.min(degree[a]!, degree[b]!);
  // The end with fewer ties gives way, so that hubs stay put.
  const share = degree[b]! / (degree[a]! + degree[b]! || 1);
  vx[a]! += dx * force * share;
  vy[a]! += dy * force * share;
  vx[b]! -= dx * force * (1 - share);
  vy[b]! -= dy * force * (1 - share);
}

/** A quadtree in flat arrays: four children a cell, then its size, mass and middle. */
interface Tree {
  child: Int32Array;
  size: Float32Array;
  mass: Float32Array;
  mx: Float32Array;
  my: Float32Array;
}

const EMPTY = -1;
const DEEPEST = 24;

function plant(x: Float32Array, y: Float32Array, count: number): Tree {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    low = Math.min(low, x[i]!, y[i]!);
    high = Math.max(high, x[i]!, y[i]!);
  }
  const room = count * 8 + 64;
  const tree: Tree = {
    child: new Int32Array(room * 4).fill(EMPTY),
    size: new Float32Array(room),
    mass: new Float32Array(room),
    mx: new Float32Array(room),
    my: new Float32Array(room),
  };
  tree.size[0] = Math.max(1, high - low + 1);
  let cells = 1;
  // A leaf is written as −2 − node, so that it cannot be taken for a cell.
  for (let i = 0; i < count; i++) {
    let cell = 0;
    let left = low;
    let top = low;
    for (let depth = 0; ; depth++) {
      tree.mass[cell]! += 1;
      tree.mx[cell]! += x[i]!;
      tree.my[cell]! += y[i]!;
      const half = tree.size[cell]! / 2;
      const right = x[i]! >= left + half ? 1 : 0;
      const lower = y[i]! >= top + half ? 1 : 0;
      left += right * half;
      top += lower * half;
      const slot = cell * 4 + lower * 2 + right;
      const there = tree.child[slot]!;
      if (there === EMPTY) {
        tree.child[slot] = -2 - i;
        break;
      }
      if (there >= 0) {
        cell = there;
        continue;
      }
      if (depth >= DEEPEST || cells >= room - 1) break; // two on one spot: their mass counts, the second has no leaf
      const other = -2 - there;
      const fresh = cells++;
      tree.size[fresh] = half;
      tree.mass[fresh] = 1;
      tree.mx[fresh] = x[other]!;
      tree.my[fresh] = y[other]!;
      const ox = x[other]! >= left + half / 2 ? 1 : 0;
      const oy = y[other]! >= top + half / 2 ? 1 : 0;
      tree.child[fresh * 4 + oy * 2 + ox] = there;
      tree.child[slot] = fresh;
      cell = fresh;
    }
  }
  return tree;
}

const stack = new Int32Array(256);

function push(tree: Tree, i: number, x: Float32Array, y: Float32Array, vx: Float32Array, vy: Float32Array, heat: number): void {
  let height = 1;
  stack[0] = 0;
  while (height) {
    const cell = stack[--height]!;
    const mass = tree.mass[cell]!;
    const dx = x[i]! - tree.mx[cell]! / mass;
    const dy = y[i]! - tree.my[cell]! / mass;
    const far = Math.max(1, dx * dx + dy * dy);
    if (tree.size[cell]! * tree.size[cell]! < THETA2 * far) {
      const force = (REPULSION * heat * mass) / far;
      vx[i]! += dx * force;
      vy[i]! += dy * force;
      continue;
    }
    for (let c = 0; c < 4; c++) {
      const there = tree.child[cell * 4 + c]!;
      if (there >= 0) {
        if (height < stack.length) stack[height++] = there;
      } else if (there !== EMPTY && -2 - there !== i) {
        const other = -2 - there;
        let ox = x[i]! - x[other]!;
        const oy = y[i]! - y[other]!;
        if (ox === 0 && oy === 0) ox = i < other ? 0.1 : -0.1;
        const near = Math.max(1, ox * ox + oy * oy);
        const force = (REPULSION * heat) / near;
        vx[i]! += ox * force;
        vy[i]! += oy * force;
      }
    }
  }
}
