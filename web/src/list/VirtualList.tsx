import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useSize } from "../parts/size";
import { reveal, windowOf } from "./window";

interface Shown<T> {
  items: readonly T[];
  row: number;
  label: string;
  id: (item: T) => string;
  render: (item: T) => ReactNode;
  /** Called when the end comes near. */
  onEnd?: () => void;
  onTop?: (atTop: boolean) => void;
  foot?: ReactNode;
}

/** A long list of rows of equal height, of which only those in view exist. Arrow keys walk through it. */
export function VirtualList<T>({ items, row, label, id, render, onEnd, onTop, foot }: Shown<T>) {
  const box = useRef<HTMLDivElement>(null);
  const { height } = useSize(box);
  const [top, setTop] = useState(0);
  const wanted = useRef<number | null>(null);
  const { from, to } = windowOf(top, height || 800, row, items.length);
  useLayoutEffect(() => {
    if (to >= items.length - 10) onEnd?.();
  });
  const arrive = () => {
    if (wanted.current === null) return;
    const found = box.current?.querySelector<HTMLElement>(`[data-at="${wanted.current}"] a`);
    if (!found) return; // not drawn yet
    wanted.current = null;
    found.focus({ preventScroll: true });
  };
  useLayoutEffect(arrive);
  const walk = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const here = (event.target as HTMLElement).closest<HTMLElement>("[data-at]");
    if (!step || !here || !box.current || (event.target as HTMLElement).tagName === "INPUT") return;
    const next = Math.max(0, Math.min(items.length - 1, Number(here.dataset.at) + step));
    event.preventDefault();
    wanted.current = next;
    box.current.scrollTop = reveal(next, box.current.scrollTop, height, row);
    setTop(box.current.scrollTop);
    arrive();
  };
  return (
    <div
      className="virtual"
      ref={box}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
        onTop?.(event.currentTarget.scrollTop < row);
      }}
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the rows hold the links; the list only moves the focus between them */}
      <ul aria-label={label} style={{ height: items.length * row }} onKeyDown={walk}>
        {items.slice(from, to).map((item, at) => (
          <li
            key={id(item)}
            data-at={from + at}
            aria-setsize={items.length}
            aria-posinset={from + at + 1}
            style={{ height: row, transform: `translateY(${(from + at) * row}px)` }}
          >
            {render(item)}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}
