/** Draws a graph; the worker does it, so that the page stays free. */
import { cut } from "../text/plain";
import { degrees } from "./layout";
import type { View } from "./view";

/** The nodes and edges of a picture, as a worker takes them. */
export interface Scene {
  labels: readonly string[];
  /** The colour of each node. */
  groups: Uint8Array;
  /** Pairs of nodes: from, to. */
  edges: Uint32Array;
  /** What edges are called, and which of it each edge is called. */
  predicates: readonly string[];
  predicate: Uint16Array;
}

export interface Points {
  x: Float32Array;
  y: Float32Array;
}

/** What a person sees of a picture, and in which colours. */
export interface Look {
  width: number;
  height: number;
  /** Pixels of the device for one of the page. */
  ratio: number;
  /** Null: all of it. */
  view: View | null;
  /** The chosen node, or -1. */
  chosen: number;
  /** The nodes that a search found. */
  found: ReadonlySet<number>;
  colours: Colours;
}

export interface Colours {
  groups: readonly string[];
  edge: string;
  head: string;
  accent: string;
  ink: string;
  muted: string;
  surface: string;
  font: string;
}

type Pen = OffscreenCanvasRenderingContext2D;
/** Whether a point of the graph is in the frame, or at most `margin` outside. */
type Seen = (px: number, py: number, margin?: number) => boolean;

/** The radius in pixels below which nobody tells a disc from a square, which is drawn faster. */
const SMALL = 1.6;
/** Below this scale edges have neither heads nor names, and only the best tied nodes are named: they would hide each other. */
const FAR = 0.35;

export function paint(pen: Pen, scene: Scene, points: Points, view: View, look: Look): void {
  const { x, y } = points;
  const { chosen, colours, found, ratio } = look;
  const { width, height } = pen.canvas;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, width / 2 - view.x * ratio * view.scale, height / 2 - view.y * ratio * view.scale);
  const { degree, order, coloured } = shape(scene, colours.groups.length);
  const reach = { x: width / 2 / ratio / view.scale, y: height / 2 / ratio / view.scale };
  const inView: Seen = (px, py, margin = 0) => Math.abs(px - view.x) < reach.x + margin && Math.abs(py - view.y) < reach.y + margin;
  // An edge is left out when both of its ends are beyond the same side.
  const crosses = (a: number, b: number): boolean =>
    Math.max(x[a]!, x[b]!) > view.x - reach.x && Math.min(x[a]!, x[b]!) < view.x + reach.x && Math.max(y[a]!, y[b]!) > view.y - reach.y && Math.min(y[a]!, y[b]!) < view.y + reach.y;
  const near = new Uint8Array(x.length);
  pen.lineWidth = 1 / view.scale;
  pen.strokeStyle = colours.edge;
  lines(pen, scene, points, crosses);
  if (chosen >= 0) {
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 1.6 / view.scale;
    lines(pen, scene, points, (a, b) => {
      if (a !== chosen && b !== chosen) return false;
      near[a] = near[b] = 1;
      return crosses(a, b);
    });
    near[chosen] = 1;
  }
  const radius = (at: number): number => (3.5 + Math.min(9, Math.sqrt(degree[at]!) * 1.7)) / Math.max(0.45, Math.min(1, view.scale));
  const dim = chosen >= 0 || found.size > 0;
  const marked = (at: number): boolean => near[at] === 1 || found.has(at);
  // One path a colour: thousands of small fills would take ten times as long.
  for (const bright of dim ? [false, true] : [true]) {
    pen.globalAlpha = bright ? 1 : 0.28;
    coloured.forEach((nodes, group) => {
      pen.fillStyle = colours.groups[group] || "#888";
      pen.beginPath();
      for (const at of nodes) {
        const size = radius(at);
        if ((dim && marked(at) !== bright) || !inView(x[at]!, y[at]!, size)) continue;
        if (size * view.scale < SMALL) {
          pen.rect(x[at]! - size, y[at]! - size, 2 * size, 2 * size);
        } else {
          pen.moveTo(x[at]! + size, y[at]!);
          pen.arc(x[at]!, y[at]!, size, 0, 7);
        }
      }
      pen.fill();
    });
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 2 / view.scale;
  pen.strokeStyle = colours.ink;
  for (const at of chosen >= 0 ? [chosen, ...found] : found) {
    pen.beginPath();
    pen.arc(x[at]!, y[at]!, radius(at), 0, 7);
    pen.stroke();
  }
  arrows(pen, scene, points, view.scale, radius, look, inView);
  const first = dim ? order.filter(marked) : [];
  const names = (view.scale < 1.2 && dim ? first : [...first, ...order]).filter((at) => inView(x[at]!, y[at]!));
  pen.textAlign = "center";
  pen.lineWidth = 3 / view.scale;
  pen.strokeStyle = colours.surface;
  const taken: Taken[] = [];
  pen.fillStyle = colours.ink;
  pen.font = `${12 / view.scale}px ${colours.font}`;
  nodeNames(pen, scene, points, 12 / view.scale, names, radius, taken, view.scale < FAR && !dim ? FEW_NAMES : MOST_NAMES);
  taken.push(...names.slice(0, 400).map((at) => ({ left: x[at]! - radius(at), right: x[at]! + radius(at), y: y[at]! + 4 / view.scale })));
  pen.fillStyle = colours.muted;
  pen.font = `${10.5 / view.scale}px ${colours.font}`;
  const named = (from: number, to: number): boolean =>
    chosen < 0 ? view.scale >= FAR && inView((x[from]! + x[to]!) / 2, (y[from]! + y[to]!) / 2) : from === chosen || to === chosen;
  edgeNames(pen, scene, points, 10.5 / view.scale, named, radius, taken);
}

function lines(pen: Pen, { edges }: Scene, { x, y }: Points, wanted: (a: number, b: number) => boolean): void {
  pen.beginPath();
  for (let e = 0; e < edges.length; e += 2) {
    const a = edges[e]!;
    const b = edges[e + 1]!;
    if (!wanted(a, b)) continue;
    pen.moveTo(x[a]!, y[a]!);
    pen.lineTo(x[b]!, y[b]!);
  }
  pen.stroke();
}

/** The head of each edge at its object. */
function arrows(pen: Pen, { edges, predicate }: Scene, { x, y }: Points, scale: number, radius: (at: number) => number, { chosen, colours }: Look, inView: Seen): void {
  const size = 7 / Math.max(0.6, scale);
  for (let at = 0; at < predicate.length; at++) {
    const [from, to] = [edges[at * 2]!, edges[at * 2 + 1]!];
    const mine = from === chosen || to === chosen;
    if (!mine && (scale < FAR || !inView(x[to]!, y[to]!))) continue;
    const [dx, dy] = [x[to]! - x[from]!, y[to]! - y[from]!];
    const length = Math.hypot(dx, dy);
    if (length < 1) continue;
    const [ux, uy] = [dx / length, dy / length];
    const [tx, ty] = [x[to]! - ux * radius(to), y[to]! - uy * radius(to)];
    pen.fillStyle = mine ? colours.accent : colours.head;
    pen.beginPath();
    pen.moveTo(tx, ty);
    pen.lineTo(tx - ux * size - uy * size * 0.45, ty - uy * size + ux * size * 0.45);
    pen.lineTo(tx - ux * size + uy * size * 0.45, ty - uy * size - ux * size * 0.45);
    pen.fill();
  }
}

interface Shape {
  degree: Uint16Array;
  /** The best tied first. */
  order: number[];
  /** The nodes of each colour. */
  coloured: number[][];
}

const shapes = new WeakMap<Scene, Shape>();

/** What of a picture stays the same from frame to frame. */
function shape(scene: Scene, colours: number): Shape {
  const known = shapes.get(scene);
  if (known) return known;
  const degree = degrees(scene.labels.length, scene.edges);
  const order = scene.labels.map((_, at) => at).sort((a, b) => degree[b]! - degree[a]!);
  const coloured = Array.from({ length: colours }, (): number[] => []);
  scene.groups.forEach((group, at) => coloured[group % colours]!.push(at));
  const made = { degree, order, coloured };
  shapes.set(scene, made);
  return made;
}

interface Taken {
  left: number;
  right: number;
  y: number;
}

const MOST_NAMES = 90;
const FEW_NAMES = 30;

/** Write a text unless another one is in its place. */
function write(pen: Pen, text: string, x: number, y: number, size: number, taken: Taken[]): void {
  const half = pen.measureText(text).width / 2;
  const [left, right] = [x - half, x + half];
  if (taken.some((one) => Math.abs(one.y - y) < size * 1.3 && left < one.right && right > one.left)) return;
  taken.push({ left, right, y });
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/** The name of each node in `order`, whose name matters most first, below it. */
function nodeNames(pen: Pen, scene: Scene, { x, y }: Points, size: number, order: number[], radius: (at: number) => number, taken: Taken[], most: number): void {
  for (const at of order.slice(0, 400)) {
    if (taken.length >= most) return;
    write(pen, cut(scene.labels[at]!, 28), x[at]!, y[at]! + radius(at) + size, size, taken);
  }
}

/** What an edge is called, in its middle, where it is long enough for it: moving closer shows more. */
function edgeNames(pen: Pen, { edges, predicates, predicate }: Scene, { x, y }: Points, size: number, wanted: (from: number, to: number) => boolean, radius: (at: number) => number, taken: Taken[]): void {
  const most = taken.length + MOST_NAMES;
  for (let at = 0; at < predicate.length && taken.length < most; at++) {
    const [from, to] = [edges[at * 2]!, edges[at * 2 + 1]!];
    const room = Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!) - radius(from) - radius(to);
    const name = predicates[predicate[at]!]!;
    if (room < name.length * size * 0.55 || !wanted(from, to)) continue;
    write(pen, name, (x[from]! + x[to]!) / 2, (y[from]! + y[to]!) / 2 + size / 3, size, taken);
  }
}
