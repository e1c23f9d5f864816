import { describe, expect, it } from "vitest";
import { dag } from "../src/graph/dag";
import { layout } from "../src/graph/layout";
import { paint, type Look, type Scene } from "../src/graph/paint";
import { fit, hit, zoom } from "../src/graph/view";

function run(count: number, edges: number[], steps = 200) {
  const made = layout(count, Uint32Array.from(edges));
  let moved = 0;
  for (let at = 0; at < steps; at++) moved = made.step();
  return { ...made, moved };
}

const apart = ({ x, y }: { x: Float32Array; y: Float32Array }, a: number, b: number) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);

describe("the force layout", () => {
  it("puts what is tied nearer than what is not", () => {
    // Two rings of ten, one tie between them.
    const ring = (from: number) => Array.from({ length: 10 }, (_, at) => [from + at, from + ((at + 1) % 10)]).flat();
    const done = run(20, [...ring(0), ...ring(10), 0, 10]);
    const pairs = Array.from({ length: 20 }, (_, a) => Array.from({ length: 20 }, (_, b) => [a, b] as const)).flat().filter(([a, b]) => a < b);
    const mean = (wanted: (a: number, b: number) => boolean) => {
      const some = pairs.filter(([a, b]) => wanted(a, b));
      return some.reduce((sum, [a, b]) => sum + apart(done, a, b), 0) / some.length;
    };
    const same = mean((a, b) => (a < 10) === (b < 10));
    const across = mean((a, b) => (a < 10) !== (b < 10));
    expect(across).toBeGreaterThan(1.5 * same);
  });

  it("comes to rest, the same way each time", () => {
    const edges = Array.from({ length: 120 }, (_, at) => (at * 7) % 60);
    const [one, two] = [run(60, edges, 300), run(60, edges, 300)];
    expect(one.moved).toBeLessThan(1);
    expect(one.x).toEqual(two.x);
    expect([...one.x, ...one.y].every(Number.isFinite)).toBe(true);
  });

  it("lays out thousands of nodes", () => {
    const many = 5000;
    const done = run(many, Array.from({ length: many * 2 }, (_, at) => (at * 7919) % many), 3);
    expect([...done.x].every(Number.isFinite)).toBe(true);
  });

  it("starts a large graph with tied names beside each other, before the first step", () => {
    const many = 3000;
    const edges = Array.from({ length: many }, (_, at) => [at, Math.floor(at / 9)]).flat();
    const start = run(many, edges, 0);
    const mean = (of: (at: number) => number) => Array.from({ length: many }, (_, at) => apart(start, at, of(at))).reduce((sum, far) => sum + far, 0) / many;
    expect(mean((at) => Math.floor(at / 9))).toBeLessThan(mean((at) => (at * 7919) % many) / 4);
  });

  it("takes no node, one node, and nodes without ties", () => {
    expect(run(0, []).moved).toBe(0);
    for (const count of [1, 2, 3]) expect([...run(count, []).x].every(Number.isFinite)).toBe(true);
    expect(apart(run(2, []), 0, 1)).toBeGreaterThan(5);
  });
});

describe("the view of the graph", () => {
  it("shows all points inside the frame", () => {
    const [x, y] = [[-100, 300], [-50, 50]];
    const view = fit(x, y, 800, 600);
    for (const i of [0, 1]) {
      expect(Math.abs((x[i]! - view.x) * view.scale)).toBeLessThanOrEqual(400);
      expect(Math.abs((y[i]! - view.y) * view.scale)).toBeLessThanOrEqual(300);
    }
  });

  it("keeps the point under the pointer where it is", () => {
    const before = { x: 10, y: 20, scale: 1 };
    const after = zoom(before, 2, 100, -50);
    expect(before.x + 100 / before.scale).toBeCloseTo(after.x + 100 / after.scale);
    expect(before.y - 50 / before.scale).toBeCloseTo(after.y - 50 / after.scale);
  });

  it("finds the nearest node, or none", () => {
    expect(hit([0, 10, 50], [0, 0, 0], 8, 1, 5)).toBe(1);
    expect(hit([0, 10, 50], [0, 0, 0], 30, 0, 5)).toBe(-1);
  });
});

describe("the drawing of a plan", () => {
  const step = (id: string, ...depends_on: string[]) => ({ id, depends_on });

  it("puts each step right of all it waits for", () => {
    const steps = [step("d", "b", "c"), step("a"), step("b", "a"), step("c"), step("e", "d", "a")];
    const { boxes, arrows, columns } = dag(steps);
    const place = new Map(boxes.map((one) => [one.id, one]));
    for (const { from, to } of arrows) expect(place.get(from)!.x).toBeLessThan(place.get(to)!.x);
    expect(arrows).toHaveLength(5);
    expect(columns).toBe(4);
  });

  it("puts no two steps on one spot, and no arrow across a step", () => {
    const { boxes, arrows } = dag([step("a"), step("b", "a"), step("c", "b"), step("d", "c", "a"), step("e"), step("f", "e", "c")]);
    const taken = new Set(boxes.map((one) => `${one.x}/${one.y}`));
    expect(taken.size).toBe(boxes.length);
    for (const one of arrows.flatMap((arrow) => arrow.through)) expect(taken.has(`${one.x}/${one.y}`)).toBe(false);
    expect(arrows.find((one) => one.from === "a" && one.to === "d")!.through).toHaveLength(2);
  });

  it("does not hang on a circle or on a step that is gone", () => {
    expect(dag([step("a", "b"), step("b", "a")]).boxes).toHaveLength(2);
    expect(dag([step("a", "gone")]).arrows).toEqual([]);
    expect(dag([])).toEqual({ boxes: [], arrows: [], columns: 0, rows: 0 });
  });
});

describe("a graph that is laid out again", () => {
  it("leaves what lay well nearly where it was, and puts a new one beside what it is tied to", () => {
    const edges = Array.from({ length: 80 }, (_, at) => (at * 7) % 40);
    const old = run(40, edges, 300);
    const before = Float32Array.from([...Array.from({ length: 40 }, (_, at) => [old.x[at]!, old.y[at]!]).flat(), NaN, NaN]);
    const made = layout(41, Uint32Array.from([...edges, 3, 40]), before);
    expect(Math.hypot(made.x[40]! - old.x[3]!, made.y[40]! - old.y[3]!)).toBeLessThan(60);
    for (let at = 0; at < 200; at++) made.step();
    const moved = Array.from({ length: 40 }, (_, at) => Math.hypot(made.x[at]! - old.x[at]!, made.y[at]! - old.y[at]!));
    const anew = run(41, [...edges, 3, 40], 300);
    const jumped = Array.from({ length: 40 }, (_, at) => Math.hypot(anew.x[at]! - old.x[at]!, anew.y[at]! - old.y[at]!));
    const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    expect(mean(moved)).toBeLessThan(60);
    expect(mean(moved)).toBeLessThan(mean(jumped) + 1);
  });
});

describe("the painting", () => {
  /** A square of `side` times `side` nodes, each tied to its right neighbour. */
  const side = 40;
  const scene: Scene = {
    labels: Array.from({ length: side * side }, (_, at) => `name ${at}`),
    groups: new Uint8Array(side * side),
    edges: Uint32Array.from(Array.from({ length: side * side }, (_, at) => [at, at + 1]).flat().slice(0, -2)),
    predicates: ["knows"],
    predicate: new Uint16Array(side * side - 1),
  };
  const points = { x: Float32Array.from(scene.labels, (_, at) => (at % side) * 100), y: Float32Array.from(scene.labels, (_, at) => Math.floor(at / side) * 100) };
  const colours = { groups: ["red", "blue"], edge: "", head: "", accent: "", ink: "", muted: "", surface: "", font: "sans" };
  const look: Look = { width: 800, height: 600, ratio: 1, view: null, chosen: -1, found: new Set(), colours };

  /** What a pen is asked to draw. */
  function drawn(scale: number, chosen = -1) {
    const calls: Record<string, unknown[][]> = {};
    const pen = new Proxy({ canvas: { width: 800, height: 600 } } as Record<string, unknown>, {
      get: (own, name: string) => own[name] ?? ((...args: unknown[]) => ((calls[name] ??= []).push(args), { width: String(args[0]).length * (7 / scale) })),
    });
    paint(pen as never, scene, points, { x: 1950, y: 1950, scale }, { ...look, chosen });
    const texts = (calls.fillText ?? []).map(([text]) => text);
    return { nodes: (calls.arc ?? []).length + (calls.rect ?? []).length, lines: (calls.lineTo ?? []).length, edges: texts.filter((text) => text === "knows").length, names: texts.filter((text) => text !== "knows").length };
  }

  it("leaves out what is outside the frame", () => {
    expect(drawn(0.14).nodes).toBe(side * side);
    const near = drawn(1);
    expect(near.nodes).toBeGreaterThan(30);
    expect(near.nodes).toBeLessThan(100);
    expect(near.lines).toBeLessThan(400);
  });

  it("names a few nodes when far, and more, with the edges, when near", () => {
    const [far, near] = [drawn(0.14), drawn(1)];
    expect(far.edges).toBe(0);
    expect(far.names).toBeGreaterThan(5);
    expect(far.names).toBeLessThanOrEqual(30);
    expect(near.edges).toBeGreaterThan(20);
    expect(near.names).toBeGreaterThan(30);
    expect(drawn(0.3, 800).edges, "those of the chosen node are named from far too").toBeGreaterThan(0);
  });
});
