import { useSyncExternalStore } from "react";

export interface Store<T> {
  get(): T;
  set(next: T | ((old: T) => T)): void;
  listen(heard: () => void): () => void;
}

/** A value outside React that components can follow. */
export function store<T>(initial: T): Store<T> {
  let value = initial;
  const ears = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const changed = typeof next === "function" ? (next as (old: T) => T)(value) : next;
      if (Object.is(changed, value)) return;
      value = changed;
      for (const heard of [...ears]) heard();
    },
    listen(heard) {
      ears.add(heard);
      return () => ears.delete(heard);
    },
  };
}

export function useStore<T>(from: Store<T>): T {
  return useSyncExternalStore(from.listen, from.get);
}
