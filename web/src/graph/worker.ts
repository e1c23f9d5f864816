import { layout, type Before } from "./layout";

interface Work {
  count: number;
  edges: Uint32Array;
  before?: Before;
}

const desk = self as unknown as {
  onmessage: (event: MessageEvent<Work>) => void;
  postMessage: (message: unknown, options?: StructuredSerializeOptions) => void;
};

let turn = 0;

/** Lays a graph out a little at a time and shows the state after each, so that a new graph can interrupt the old. */
desk.onmessage = ({ data }) => {
  turn += 1;
  const mine = turn;
  const work = layout(data.count, data.edges, data.before);
  let left = 400;
  const go = () => {
    if (mine !== turn) return;
    const until = performance.now() + 24;
    let moved = 1;
    while (left > 0 && performance.now() < until) {
      moved = work.step();
      left -= 1;
    }
    const done = left <= 0 || moved < 0.02;
    const x = work.x.slice();
    const y = work.y.slice();
    desk.postMessage({ x, y, done }, { transfer: [x.buffer, y.buffer] });
    if (!done) setTimeout(go, 0);
  };
  go();
};
