import { layout, type Before } from "./layout";

interface Task {
  count: number;
  edges: Uint32Array;
  before?: Before;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Task>) => void;
  postMessage: (message: unknown, options?: StructuredSerializeOptions) => void;
};

const SLICE_MS = 24;
const STEPS = 400;
const STILL = 0.02;
let latest = 0;

/** Lays a graph out a little at a time and reports after each slice; a new graph replaces the old one. */
scope.onmessage = ({ data }) => {
  latest += 1;
  const task = latest;
  const work = layout(data.count, data.edges, data.before);
  let left = STEPS;
  const run = () => {
    if (task !== latest) return;
    const until = performance.now() + SLICE_MS;
    let moved = 1;
    while (left > 0 && performance.now() < until) {
      moved = work.step();
      left -= 1;
    }
    const done = left <= 0 || moved < STILL;
    const x = work.x.slice();
    const y = work.y.slice();
    scope.postMessage({ x, y, done }, { transfer: [x.buffer, y.buffer] });
    if (!done) setTimeout(run, 0);
  };
  run();
};
