import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { t } from "../i18n";
import { Icon } from "../parts/icons";
import { useSize } from "../parts/size";
import type { Colours, Look, Points, Scene } from "./paint";
import { fit, hit, zoom, type View } from "./view";
import type { Order, Painting } from "./worker";

export interface Picture extends Scene {
  ids: readonly string[];
}

interface Shown {
  worker: Worker | null;
  picture: Picture;
  selected: string | null;
  found: ReadonlySet<string>;
  onSelect: (id: string | null) => void;
}

/** A worker that lays graphs out and paints them, ready before the graph has arrived. */
export function useGraphWorker(): Worker | null {
  const [worker, setWorker] = useState<Worker | null>(null);
  useEffect(() => {
    const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    setWorker(started);
    return () => started.terminate();
  }, []);
  return worker;
}

const NOTHING: Points = { x: new Float32Array(), y: new Float32Array() };
let pictures = 0;

/** The graph on a canvas. A worker paints it; here the newest painting is shown, moved to where the person looks. */
export function Canvas({ worker, picture, selected, found, onSelect }: Shown) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const painting = useRef<Painting | null>(null);
  const points = useRef<Points>(NOTHING);
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const own = useRef(false); // the person has moved the view: leave it where it is
  const frame = useRef(0);
  const looked = useRef(false); // the worker knows how the picture is looked at
  const fresh = useRef(false); // the newest painting is not on the screen yet
  const places = useRef(new Map<string, [number, number]>());
  const [settled, setSettled] = useState(false);
  const [drawn, setDrawn] = useState(false);

  const draw = useCallback(() => {
    cancelAnimationFrame(frame.current);
    const { current: element } = canvas;
    if (!element) return;
    if (worker && !looked.current) {
      looked.current = true;
      const look: Look = {
        width,
        height,
        ratio: devicePixelRatio,
        view: own.current ? view.current : null,
        chosen: selected === null ? -1 : picture.ids.indexOf(selected),
        found: new Set(found.size ? picture.ids.flatMap((id, at) => (found.has(id) ? [at] : [])) : []),
        colours: colours(element),
      };
      worker.postMessage({ look } satisfies Order);
    }
    if (!painting.current) return;
    show(element, painting.current, view.current);
    if (fresh.current) worker?.postMessage({ shown: true } satisfies Order);
    fresh.current = false;
    setDrawn(true);
    setSettled(painting.current.done);
  }, [worker, picture, selected, found, width, height]);

  const latest = useRef(draw);
  const soon = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => latest.current());
  }, []);
  const changed = useCallback(() => {
    looked.current = false;
    soon();
  }, [soon]);

  useLayoutEffect(() => {
    if (!worker) return;
    const known = places.current;
    const before = placed(picture, known);
    if (!before) own.current = false;
    pictures += 1;
    const number = pictures;
    points.current = NOTHING;
    setSettled(false);
    const receive = ({ data }: MessageEvent<Painting>) => {
      fresh.current = true;
      painting.current?.bitmap.close();
      painting.current = data;
      if (data.picture === number) points.current = data; // else one of the picture before, still on its way
      if (!own.current) view.current = data.view;
      soon();
    };
    worker.addEventListener("message", receive);
    const { labels, groups, edges, predicates, predicate } = picture;
    worker.postMessage({ picture: number, scene: { labels, groups, edges, predicates, predicate }, ...(before ? { before } : {}) } satisfies Order);
    return () => {
      worker.removeEventListener("message", receive);
      points.current.x.forEach((x, at) => known.set(picture.ids[at]!, [x, points.current.y[at]!]));
    };
  }, [worker, picture, soon]);

  // At once: a canvas that changes its size is emptied, and nobody is to see it so.
  useLayoutEffect(() => {
    latest.current = draw;
    looked.current = false;
    draw();
  }, [draw]);

  // Another theme has other colours.
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", changed);
    const watch = new MutationObserver(changed);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      dark.removeEventListener("change", changed);
      watch.disconnect();
    };
  }, [changed]);

  const move = useCallback((next: View) => {
    own.current = true;
    view.current = next;
    changed();
  }, [changed]);

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
    const at = selected === null ? -1 : picture.ids.indexOf(selected);
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
    onSelect(at < 0 ? null : picture.ids[at]!);
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
    <div className="graph-canvas" ref={box} data-drawn={drawn} data-settled={settled}>
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
  if (!picture.ids.some((id) => places.has(id))) return undefined;
  return Float32Array.from(picture.ids.flatMap((id) => places.get(id) ?? [NaN, NaN]));
}

/** Where a pointer is, from the middle of the canvas, in its own pixels: very wide screens are magnified. */
function fromMiddle(canvas: HTMLCanvasElement, event: { clientX: number; clientY: number }): { x: number; y: number } {
  const frame = canvas.getBoundingClientRect();
  const larger = frame.width / (canvas.clientWidth || 1) || 1;
  return { x: (event.clientX - frame.left - frame.width / 2) / larger, y: (event.clientY - frame.top - frame.height / 2) / larger };
}

/** Show a painting, moved to the present view until the next one arrives. */
function show(canvas: HTMLCanvasElement, { bitmap, view: painted }: Painting, view: View): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const larger = view.scale / painted.scale;
  const scale = devicePixelRatio * view.scale;
  const { width, height } = canvas;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(larger, 0, 0, larger, width / 2 + (painted.x - view.x) * scale, height / 2 + (painted.y - view.y) * scale);
  pen.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
}

function colours(canvas: HTMLCanvasElement): Colours {
  const style = getComputedStyle(canvas);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    groups: Array.from({ length: 8 }, (_, at) => value(`--group-${at}`)),
    edge: value("--edge"),
    head: value("--line-strong"),
    accent: value("--accent"),
    ink: value("--ink"),
    muted: value("--muted"),
    surface: value("--surface"),
    font: value("--sans") || "sans-serif",
  };
}
