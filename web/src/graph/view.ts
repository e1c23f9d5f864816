export interface View {
  x: number;
  y: number;
  scale: number;
}

/** The view that shows all points inside a frame. */
export function fit(x: ArrayLike<number>, y: ArrayLike<number>, width: number, height: number): View {
  if (!x.length || !width || !height) return { x: 0, y: 0, scale: 1 };
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    left = Math.min(left, x[i]!);
    right = Math.max(right, x[i]!);
    top = Math.min(top, y[i]!);
    bottom = Math.max(bottom, y[i]!);
  }
  const scale = Math.min(2, (width - 96) / Math.max(1, right - left), (height - 96) / Math.max(1, bottom - top));
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(0.02, scale) };
}

/** Closer or further, keeping the point under (`px`, `py`, from the middle of the frame) where it is. */
export function zoom(view: View, factor: number, px = 0, py = 0): View {
  const scale = Math.max(0.02, Math.min(8, view.scale * factor));
  return { x: view.x + px / view.scale - px / scale, y: view.y + py / view.scale - py / scale, scale };
}

/** The node under a point of the graph, if one is near enough. */
export function hit(x: ArrayLike<number>, y: ArrayLike<number>, px: number, py: number, reach: number): number {
  let found = -1;
  let best = reach * reach;
  for (let i = 0; i < x.length; i++) {
    const dx = x[i]! - px;
    const dy = y[i]! - py;
    const far = dx * dx + dy * dy;
    if (far < best) {
      best = far;
      found = i;
    }
  }
  return found;
}
