import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { t } from "../i18n";
import { Icon } from "../parts/icons";
import { useSize } from "../parts/size";
import { cut } from "../text/plain";
import { fit, hit, zoom, type View } from "./view";

export interface Node {
  id: string;
  label: string;
  group: number;
}

export interface Picture {
  nodes: Node[];
  /** Pairs of places in `nodes`: from, to. */
  edges: Uint32Array;
  /** What each edge is called, in the order of `edges`. */
  names: readonly string[];
}

interface Shown {
  picture: Picture;
  selected: string | null;
  found: ReadonlySet<string>;
  onSelect: (id: string | null) => void;
}

interface Points {
  x: Float32Array;
  y: Float32Array;
}

/** The graph on a canvas; a worker lays it out, so that the page stays free. */
export function Canvas({ picture, selected, found, onSelect }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const points = useRef<Points>({ x: new Float32Array(), y: new Float32Array() });
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const own = useRef(false); // the person has moved the view: leave it where it is
  const frame = useRef(0);
  const places = useRef(new Map<string, [number, number]>());
  const done = useRef(false);
  const [settled, setSettled] = useState(false);

  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    if (canvas.current) paint(canvas.current, picture, points.current, view.current, selected, found);
    if (done.current) setSettled(true); // not before it is to be seen
  }, [picture, selected, found]);

  const latest = useRef(draw);
  const soon = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => latest.current());
  }, []);

  // Before anything is drawn: the places of another picture's nodes would be wrong.
  useLayoutEffect(() => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    done.current = false;
    setSettled(false);
    const before = placed(picture, places.current);
    if (!before) own.current = false;
    points.current = { x: new Float32Array(), y: new Float32Array() };
    worker.onmessage = ({ data }: MessageEvent<Points & { done: boolean }>) => {
      points.current = data;
      picture.nodes.forEach((one, at) => places.current.set(one.id, [data.x[at]!, data.y[at]!]));
      if (!own.current && box.current) view.current = fit(data.x, data.y, box.current.clientWidth, box.current.clientHeight);
      done.current = data.done;
      soon();
    };
    worker.postMessage({ count: picture.nodes.length, edges: picture.edges, before });
    return () => worker.terminate();
  }, [picture, soon]);

  // At once: a canvas that changes its size is emptied, and nobody is to see it so.
  useLayoutEffect(() => {
    latest.current = draw;
    draw();
  }, [draw, width, height]);

  // Another theme has other colours.
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", soon);
    const watch = new MutationObserver(soon);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      dark.removeEventListener("change", soon);
      watch.disconnect();
    };
  }, [soon]);

  const move = useCallback((next: View) => {
    own.current = true;
    view.current = next;
    soon();
  }, [soon]);

  // React's wheel listener is passive and could not keep the page from scrolling.
  useEffect(() => {
    const element = canvas.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const at = fromMiddle(element!, event);
      move(zoom(view.current, Math.exp(-event.deltaY * 0.0015), at.x, at.y));
    };
    element?.addEventListener("wheel", wheel, { passive: false });
    return () => element?.removeEventListener("wheel", wheel);
  }, [move]);

  // A chosen node comes into the middle.
  useEffect(() => {
    const at = picture.nodes.findIndex((one) => one.id === selected);
    const { x, y } = points.current;
    if (at >= 0 && at < x.length) move({ x: x[at]!, y: y[at]!, scale: Math.max(0.9, view.current.scale) });
  }, [selected, picture, move, settled]);

  const drag = useRef<{ x: number; y: number; moved: boolean; fingers: Map<number, { x: number; y: number }> }>({ x: 0, y: 0, moved: false, fingers: new Map() });
  const down = (event: PointerEvent) => {
    const { current } = drag;
    current.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    current.moved = false;
    (event.target as Element).setPointerCapture(event.pointerId);
  };
  const moving = (event: PointerEvent) => {
    const { fingers } = drag.current;
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const here = { x: event.clientX, y: event.clientY };
    const { current: now } = view;
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()] as [typeof here, typeof here];
      const other = a === before ? b : a;
      move(zoom(now, Math.hypot(here.x - other.x, here.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1)));
    } else if (Math.hypot(here.x - before.x, here.y - before.y) > 2 || drag.current.moved) {
      move({ ...now, x: now.x - (here.x - before.x) / now.scale, y: now.y - (here.y - before.y) / now.scale });
    } else return;
    drag.current.moved = true;
    fingers.set(event.pointerId, here);
  };
  const up = (event: PointerEvent) => {
    drag.current.fingers.delete(event.pointerId);
    if (drag.current.moved) return;
    const { x, y } = fromMiddle(canvas.current!, event);
    const { scale } = view.current;
    const at = hit(points.current.x, points.current.y, x / scale + view.current.x, y / scale + view.current.y, 16 / scale);
    onSelect(at < 0 ? null : picture.nodes[at]!.id);
  };
  const whole = () => move(fit(points.current.x, points.current.y, width, height));
  const press = (event: KeyboardEvent) => {
    const step = 60 / view.current.scale;
    const moves: Record<string, () => View> = {
      ArrowLeft: () => ({ ...view.current, x: view.current.x - step }),
      ArrowRight: () => ({ ...view.current, x: view.current.x + step }),
      ArrowUp: () => ({ ...view.current, y: view.current.y - step }),
      ArrowDown: () => ({ ...view.current, y: view.current.y + step }),
      "+": () => zoom(view.current, 1.25),
      "-": () => zoom(view.current, 0.8),
      "0": () => fit(points.current.x, points.current.y, width, height),
    };
    const next = moves[event.key];
    if (!next) return;
    event.preventDefault();
    move(next());
  };
  return (
    <div className="graph-canvas" ref={box} data-settled={settled}>
      <canvas
        ref={canvas}
        // eslint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it takes keys of its own; the list beside it says the same in words
        role="application"
        aria-label={t("graph.canvas")}
        tabIndex={0}
        style={{ width, height }}
        width={width * devicePixelRatio}
        height={height * devicePixelRatio}
        onPointerDown={down}
        onPointerMove={moving}
        onPointerUp={up}
        onPointerCancel={(event) => drag.current.fingers.delete(event.pointerId)}
        onKeyDown={press}
      />
      <div className="graph-buttons">
        <button type="button" className="icon-button" aria-label={t("graph.closer")} title={t("graph.closer")} onClick={() => move(zoom(view.current, 1.4))}><Icon name="plus" /></button>
        <button type="button" className="icon-button" aria-label={t("graph.further")} title={t("graph.further")} onClick={() => move(zoom(view.current, 1 / 1.4))}><Icon name="minus" /></button>
        <button type="button" className="icon-button" aria-label={t("graph.whole")} title={t("graph.whole")} onClick={whole}><Icon name="fit" /></button>
      </div>
    </div>
  );
}

/** Where the nodes of a picture lay when they were last seen; nothing if none was. */
function placed(picture: Picture, places: Map<string, [number, number]>): Float32Array | undefined {
  if (!picture.nodes.some((one) => places.has(one.id))) return undefined;
  return Float32Array.from(picture.nodes.flatMap((one) => places.get(one.id) ?? [NaN, NaN]));
}

/** Where a pointer is, from the middle of the canvas, in its own pixels: very wide screens are magnified. */
function fromMiddle(canvas: HTMLCanvasElement, event: { clientX: number; clientY: number }): { x: number; y: number } {
  const frame = canvas.getBoundingClientRect();
  const larger = frame.width / (canvas.clientWidth || 1) || 1;
  return { x: (event.clientX - frame.left - frame.width / 2) / larger, y: (event.clientY - frame.top - frame.height / 2) / larger };
}

function paint(canvas: HTMLCanvasElement, picture: Picture, points: Points, view: View, selected: string | null, found: ReadonlySet<string>): void {
  const pen = canvas.getContext("2d");
  const { x, y } = points;
  if (!pen || x.length !== picture.nodes.length) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const groups = Array.from({ length: 8 }, (_, at) => colour(`--group-${at}`));
  const ratio = devicePixelRatio;
  const { width, height } = canvas;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, width / 2 - view.x * ratio * view.scale, height / 2 - view.y * ratio * view.scale);
  const chosen = selected === null ? -1 : picture.nodes.findIndex((one) => one.id === selected);
  const { degree, order } = shape(picture);
  const near = new Uint8Array(x.length);
  pen.lineWidth = 1 / view.scale;
  pen.strokeStyle = colour("--edge");
  lines(pen, picture, points, () => true);
  if (chosen >= 0) {
    pen.strokeStyle = colour("--accent");
    pen.lineWidth = 1.6 / view.scale;
    lines(pen, picture, points, (a, b) => {
      if (a !== chosen && b !== chosen) return false;
      near[a] = near[b] = 1;
      return true;
    });
    near[chosen] = 1;
  }
  const radius = (at: number): number => (3.5 + Math.min(9, Math.sqrt(degree[at]!) * 1.7)) / Math.max(0.45, Math.min(1, view.scale));
  const dim = chosen >= 0 || found.size > 0;
  const marked = (at: number): boolean => near[at] === 1 || (found.size > 0 && found.has(picture.nodes[at]!.id));
  // One path a colour: thousands of small fills would take ten times as long.
  for (const bright of dim ? [false, true] : [true]) {
    pen.globalAlpha = bright ? 1 : 0.28;
    groups.forEach((fill, group) => {
      pen.fillStyle = fill || "#888";
      pen.beginPath();
      picture.nodes.forEach((node, at) => {
        if (node.group % groups.length !== group || (dim && marked(at) !== bright)) return;
        pen.moveTo(x[at]! + radius(at), y[at]!);
        pen.arc(x[at]!, y[at]!, radius(at), 0, 7);
      });
      pen.fill();
    });
  }
  pen.globalAlpha = 1;
  pen.lineWidth = 2 / view.scale;
  pen.strokeStyle = colour("--ink");
  picture.nodes.forEach((node, at) => {
    if (at !== chosen && !(found.size > 0 && found.has(node.id))) return;
    pen.beginPath();
    pen.arc(x[at]!, y[at]!, radius(at), 0, 7);
    pen.stroke();
  });
  arrows(pen, picture, points, view, radius, { chosen, edge: colour("--line-strong"), accent: colour("--accent") });
  const reach = { x: width / 2 / ratio / view.scale, y: height / 2 / ratio / view.scale };
  const inView = (px: number, py: number): boolean => Math.abs(px - view.x) < reach.x && Math.abs(py - view.y) < reach.y;
  const first = dim ? order.filter(marked) : [];
  const names = (view.scale < 1.2 && dim ? first : [...first, ...order]).filter((at) => inView(x[at]!, y[at]!));
  pen.textAlign = "center";
  pen.lineWidth = 3 / view.scale;
  pen.strokeStyle = colour("--surface");
  const font = colour("--sans") || "sans-serif";
  const taken: Taken[] = [];
  pen.fillStyle = colour("--ink");
  pen.font = `${12 / view.scale}px ${font}`;
  nodeNames(pen, picture, points, 12 / view.scale, names, radius, taken);
  taken.push(...names.slice(0, 400).map((at) => ({ left: x[at]! - radius(at), right: x[at]! + radius(at), y: y[at]! + 4 / view.scale })));
  pen.fillStyle = colour("--muted");
  pen.font = `${10.5 / view.scale}px ${font}`;
  edgeNames(pen, picture, points, 10.5 / view.scale, (from, to) => (chosen < 0 ? inView((x[from]! + x[to]!) / 2, (y[from]! + y[to]!) / 2) : from === chosen || to === chosen), radius, taken);
}

function lines(pen: CanvasRenderingContext2D, { edges }: Picture, { x, y }: Points, wanted: (a: number, b: number) => boolean): void {
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

interface EdgeStyle {
  chosen: number;
  edge: string;
  accent: string;
}

const MOST_ARROWS = 2000;

/** The head of each edge at its object. */
function arrows(pen: CanvasRenderingContext2D, { edges, names }: Picture, { x, y }: Points, view: View, radius: (at: number) => number, style: EdgeStyle): void {
  const size = 7 / Math.max(0.6, view.scale);
  for (let at = 0; at < names.length; at++) {
    const [from, to] = [edges[at * 2]!, edges[at * 2 + 1]!];
    const mine = from === style.chosen || to === style.chosen;
    if (!mine && (names.length > MOST_ARROWS || view.scale < 0.35)) continue;
    const [dx, dy] = [x[to]! - x[from]!, y[to]! - y[from]!];
    const length = Math.hypot(dx, dy);
    if (length < 1) continue;
    const [ux, uy] = [dx / length, dy / length];
    const [tx, ty] = [x[to]! - ux * radius(to), y[to]! - uy * radius(to)];
    pen.fillStyle = mine ? style.accent : style.edge;
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
}

const shapes = new WeakMap<Picture, Shape>();

/** What of a picture stays the same from frame to frame. */
function shape(picture: Picture): Shape {
  const known = shapes.get(picture);
  if (known) return known;
  const degree = new Uint16Array(picture.nodes.length);
  for (const end of picture.edges) degree[end]! += 1;
  const order = picture.nodes.map((_, at) => at).sort((a, b) => degree[b]! - degree[a]!);
  const made = { degree, order };
  shapes.set(picture, made);
  return made;
}

interface Taken {
  left: number;
  right: number;
  y: number;
}

const MOST_NAMES = 90;

/** Write a text unless another one is in its place. */
function write(pen: CanvasRenderingContext2D, text: string, x: number, y: number, size: number, taken: Taken[]): void {
  const half = pen.measureText(text).width / 2;
  const [left, right] = [x - half, x + half];
  if (taken.some((one) => Math.abs(one.y - y) < size * 1.3 && left < one.right && right > one.left)) return;
  taken.push({ left, right, y });
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

/** The name of each node in `order`, whose name matters most first, below it. */
function nodeNames(pen: CanvasRenderingContext2D, picture: Picture, { x, y }: Points, size: number, order: number[], radius: (at: number) => number, taken: Taken[]): void {
  for (const at of order.slice(0, 400)) {
    if (taken.length > MOST_NAMES) return;
    write(pen, cut(picture.nodes[at]!.label, 28), x[at]!, y[at]! + radius(at) + size, size, taken);
  }
}

/** What an edge is called, in its middle, where it is long enough for it: moving closer shows more. */
function edgeNames(pen: CanvasRenderingContext2D, { edges, names }: Picture, { x, y }: Points, size: number, wanted: (from: number, to: number) => boolean, radius: (at: number) => number, taken: Taken[]): void {
  const most = taken.length + MOST_NAMES;
  for (let at = 0; at < names.length && taken.length < most; at++) {
    const [from, to] = [edges[at * 2]!, edges[at * 2 + 1]!];
    const room = Math.hypot(x[to]! - x[from]!, y[to]! - y[from]!) - radius(from) - radius(to);
    if (room < names[at]!.length * size * 0.55 || !wanted(from, to)) continue;
    write(pen, names[at]!, (x[from]! + x[to]!) / 2, (y[from]! + y[to]!) / 2 + size / 3, size, taken);
  }
}
