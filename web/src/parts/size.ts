import { useLayoutEffect, useState, type RefObject } from "react";

/** The size of an element, followed as it changes. */
export function useSize(of: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [of]);
  return size;
}

export function useNarrow(limit: number): boolean {
  const [narrow, setNarrow] = useState(() => window.innerWidth < limit);
  useLayoutEffect(() => {
    const query = window.matchMedia(`(width < ${limit}px)`);
    const changed = () => setNarrow(query.matches);
    changed();
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, [limit]);
  return narrow;
}
