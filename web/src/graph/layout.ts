/** Where the nodes of a graph lie: a force layout by d3-force. The same graph always comes to the same picture. */
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type Simulation, type SimulationNodeDatum } from "d3-force";

export interface Layout {
  x: Float32Array;
  y: Float32Array;
  /** Go on by one step; returns how far the nodes moved on average. */
  step(): number;
}

const LENGTH = 64;
const REPULSION = -140;
const REACH = 900;
const GRAVITY = 0.035;
/** Beyond this many nodes the best tied are laid out first, and the layout is coarser and cools faster. */
const LARGE = 1500;
const CORE = 400;
const CORE_STEPS = 40;

/** Where nodes were before, as pairs; NaN for a node that is new. */
export type Before = Float32Array;

export function layout(count: number, edges: Uint32Array, before?: Before): Layout {
  const large = count > LARGE;
  const start = before ?? (large ? core(count, edges) : undefined);
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, (_, at) => {
    const [x, y] = [start?.[at * 2] ?? NaN, start?.[at * 2 + 1] ?? NaN];
    return Number.isNaN(x) ? {} : { x, y };
  });
  const known = before ? nodes.filter(({ x }) => x !== undefined).length : 0;
  const links = pairs(edges);
  place(nodes, links);
  const simulation = forces(nodes, links, large ? 1.2 : 0.9)
    .alpha(known > count / 2 ? 0.2 : start ? 0.4 : 1) // what lies well already is only nudged
    .alphaDecay(large ? 0.05 : 0.0228);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const copy = () => {
    nodes.forEach((node, at) => {
      x[at] = node.x!;
      y[at] = node.y!;
    });
  };
  copy();
  const step = (): number => {
    if (simulation.alpha() < simulation.alphaMin()) return 0;
    simulation.tick();
    copy();
    return count ? nodes.reduce((sum, node) => sum + Math.hypot(node.vx ?? 0, node.vy ?? 0), 0) / count : 0;
  };
  return { x, y, step };
}

/** How many edges end at each node. */
export function degrees(count: number, edges: Uint32Array): Uint16Array {
  const degree = new Uint16Array(count);
  for (const end of edges) degree[end]! += 1;
  return degree;
}

interface Link {
  source: number;
  target: number;
}

const pairs = (edges: Uint32Array): Link[] => Array.from({ length: edges.length / 2 }, (_, at) => ({ source: edges[at * 2]!, target: edges[at * 2 + 1]! }));

function forces(nodes: SimulationNodeDatum[], links: readonly Link[], theta: number): Simulation<SimulationNodeDatum, undefined> {
  return forceSimulation(nodes)
    .force("charge", forceManyBody().strength(REPULSION).theta(theta).distanceMax(REACH))
    .force("link", forceLink(links.map((link) => ({ ...link }))).distance(LENGTH))
    .force("x", forceX(0).strength(GRAVITY))
    .force("y", forceY(0).strength(GRAVITY))
    .stop();
}

/** Where the best tied nodes lie when they are alone; NaN for the others. */
function core(count: number, edges: Uint32Array): Before {
  const degree = degrees(count, edges);
  const best = Array.from(degree.keys()).sort((a, b) => degree[b]! - degree[a]!).slice(0, CORE);
  const inCore = new Map(best.map((node, at) => [node, at]));
  const links = pairs(edges).flatMap(({ source, target }) => {
    const [from, to] = [inCore.get(source), inCore.get(target)];
    return from === undefined || to === undefined ? [] : [{ source: from, target: to }];
  });
  const nodes: SimulationNodeDatum[] = best.map(() => ({}));
  forces(nodes, links, 1.2).alphaDecay(0.12).tick(CORE_STEPS);
  const start = new Float32Array(count * 2).fill(NaN);
  const wide = Math.sqrt(count / best.length); // the others need room
  best.forEach((node, at) => start.set([nodes[at]!.x! * wide, nodes[at]!.y! * wide], node * 2));
  return start;
}

/** Each node without a place goes beside the first one with a place that it is connected to, a step further each round. */
function place(nodes: SimulationNodeDatum[], links: readonly Link[]): void {
  let open = nodes.some(({ x }) => x !== undefined) ? links : [];
  while (open.length) {
    const left: Link[] = [];
    let placed = false;
    for (const link of open) {
      const [from, to] = nodes[link.source]!.x === undefined ? [link.target, link.source] : [link.source, link.target];
      if (nodes[to]!.x !== undefined) continue;
      if (nodes[from]!.x === undefined) {
        left.push(link);
        continue;
      }
      placed = true;
      nodes[to]!.x = nodes[from]!.x! + (LENGTH / 2) * Math.cos(to * 2.4);
      nodes[to]!.y = nodes[from]!.y! + (LENGTH / 2) * Math.sin(to * 2.4);
    }
    if (!placed) return;
    open = left;
  }
}
