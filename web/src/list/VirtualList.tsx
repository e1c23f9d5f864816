import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";

interface Props<T> {
  items: readonly T[];
  /** The usual height of a row in pixels; each is measured once it is drawn. */
  row: number;
  label: string;
  id: (item: T) => string;
  render: (item: T) => ReactNode;
  /** Called when the end comes near. */
  onEnd?: () => void;
  onTop?: (atTop: boolean) => void;
  foot?: ReactNode;
}

/** How many rows before the end the next page is asked for. */
const EARLY = 10;

/** A long list of which only the rows in view exist. Arrow keys walk through it. */
export function VirtualList<T>({ items, row, label, id, render, onEnd, onTop, foot }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const focusAt = useRef<number | null>(null);
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => row,
    getItemKey: (at) => id(items[at]!),
    overscan: 6,
    initialRect: { width: 0, height: 800 },
  });
  const rows = list.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => list.measure(), [list, row]);
  useEffect(() => {
    if (last >= items.length - EARLY) onEnd?.();
  });
  const moveFocus = () => {
    const link = focusAt.current === null ? null : box.current?.querySelector<HTMLElement>(`[data-index="${focusAt.current}"] a`);
    if (!link) return; // not drawn yet
    focusAt.current = null;
    link.focus({ preventScroll: true });
  };
  useLayoutEffect(moveFocus);
  const walk = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const here = (event.target as HTMLElement).closest<HTMLElement>("[data-index]");
    if (!step || !here || (event.target as HTMLElement).tagName === "INPUT") return;
    event.preventDefault();
    focusAt.current = Math.max(0, Math.min(items.length - 1, Number(here.dataset.index) + step));
    list.scrollToIndex(focusAt.current, { align: "auto" });
    moveFocus();
  };
  return (
    <div className="virtual" ref={box} onScroll={(event) => onTop?.(event.currentTarget.scrollTop < row)}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows hold the links; the list only moves the focus between them */}
      <ul aria-label={label} style={{ height: list.getTotalSize() }} onKeyDown={walk}>
        {rows.map(({ index, key, start }) => (
          <li key={key} ref={list.measureElement} data-index={index} aria-setsize={items.length} aria-posinset={index + 1} style={{ transform: `translateY(${start}px)` }}>
            {render(items[index]!)}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}
