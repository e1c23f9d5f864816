/** Where the nodes of a graph lie: a force layout by d3-force. The same graph always comes to the same picture. */
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

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
/** Beyond this many nodes the layout cools faster. */
const LARGE = 1500;

/** Where nodes were before, as pairs; NaN for a node that is new. */
export type Before = Float32Array;

export function layout(count: number, edges: Uint32Array, before?: Before): Layout {
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, (_, at) => {
    const [x, y] = [before?.[at * 2] ?? NaN, before?.[at * 2 + 1] ?? NaN];
    return Number.isNaN(x) ? {} : { x, y };
  });
  const known = nodes.filter(({ x }) => x !== undefined).length;
  const links = Array.from({ length: edges.length / 2 }, (_, at) => ({ source: edges[at * 2]!, target: edges[at * 2 + 1]! }));
  // A new node starts beside the first node it is connected to.
  for (const { source, target } of links) {
    const [from, to] = nodes[source]!.x === undefined ? [target, source] : [source, target];
    if (nodes[from]!.x === undefined || nodes[to]!.x !== undefined) continue;
    nodes[to]!.x = nodes[from]!.x! + (LENGTH / 2) * Math.cos(to * 2.4);
    nodes[to]!.y = nodes[from]!.y! + (LENGTH / 2) * Math.sin(to * 2.4);
  }
  const simulation = forceSimulation(nodes)
    .force("charge", forceManyBody().strength(REPULSION).theta(0.9).distanceMax(REACH))
    .force("link", forceLink(links).distance(LENGTH))
    .force("x", forceX(0).strength(GRAVITY))
    .force("y", forceY(0).strength(GRAVITY))
    .alpha(known > count / 2 ? 0.2 : 1) // what lies well already is only nudged
    .alphaDecay(count > LARGE ? 0.04 : 0.0228)
    .stop();
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
