import { layout, type Before, type Layout } from "./layout";
import { paint, type Look, type Points, type Scene } from "./paint";
import { fit, type View } from "./view";

/** What the worker is told: a new picture, how it is looked at, or that its last painting is on the screen. */
export type Order = { picture: number; scene: Scene; before?: Before } | { look: Look } | { shown: true };

/** A painting of a picture, and where its nodes are. */
export interface Painting extends Points {
  picture: number;
  bitmap: ImageBitmap;
  view: View;
  /** The nodes move no more. */
  done: boolean;
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage: (message: Painting, options?: StructuredSerializeOptions) => void;
};

const SLICE_MS = 24;
const STEPS = 400;
const STILL = 0.02;

let picture = 0;
let scene: Scene | undefined;
let nodes: Layout | undefined;
let steps = 0;
let look: Look | undefined;
let stale = false; // what is on the screen is not what should be
let free = true; // the last painting is on the screen: paint no faster than it is shown
let spent = 0;
let until = 0; // the nodes move until then before they are painted again
let waiting = false;
let canvas: OffscreenCanvas | undefined;

scope.onmessage = ({ data }) => {
  if ("scene" in data) {
    ({ picture, scene } = data);
    until = performance.now() + SLICE_MS; // what took longer than that to place is painted as it was placed
    nodes = layout(scene.labels.length, scene.edges, data.before);
    steps = STEPS;
    stale = true;
  } else if ("look" in data) {
    look = data.look;
    stale = true;
  } else {
    free = true;
  }
  soon();
};

function soon(): void {
  if (waiting) return;
  waiting = true;
  setTimeout(run, 0);
}

/** The nodes move a little and are painted; half of the time goes to each. */
function run(): void {
  waiting = false;
  if (!scene || !nodes || !look?.width || !look.height) return;
  if (steps > 0) {
    until ||= performance.now() + Math.max(SLICE_MS, spent);
    while (steps > 0 && performance.now() < until) steps = nodes.step() < STILL ? 0 : steps - 1;
    until = 0;
    stale = true;
  }
  if (stale && free) show(scene, nodes, look);
  if (steps > 0) soon();
}

function show(scene: Scene, { x, y }: Layout, look: Look): void {
  const begun = performance.now();
  const view = look.view ?? fit(x, y, look.width, look.height);
  const [width, height] = [Math.round(look.width * look.ratio), Math.round(look.height * look.ratio)];
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  paint(canvas.getContext("2d")!, scene, { x, y }, view, look);
  const bitmap = canvas.transferToImageBitmap();
  const places = { x: x.slice(), y: y.slice() };
  stale = false;
  free = false;
  scope.postMessage({ picture, bitmap, view, ...places, done: steps === 0 }, { transfer: [bitmap, places.x.buffer, places.y.buffer] });
  spent = performance.now() - begun;
}
