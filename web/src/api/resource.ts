import { useCallback, useEffect, useRef, useState } from "react";
import { namespace } from "../session";
import { useStore } from "../store";
import type { Page } from "./types";
import { Unreachable } from "./client";
import { link, useChanges } from "./events";

export interface Resource<T> {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  reload(): void;
  set(next: T): void;
}

/** Once the server can be reached again, read again what could not be read. */
function useAgain(error: unknown, reload: () => void): void {
  const live = useStore(link) === "live";
  const latest = useRef(reload);
  useEffect(() => {
    latest.current = reload;
  });
  const lost = error instanceof Unreachable;
  useEffect(() => {
    if (live && lost) latest.current();
  }, [live, lost]);
}

/** What was read last, so that going back shows it at once while it is read again. */
const shelf = new Map<string, unknown>();

export const clearShelf = (): void => shelf.clear();

/** Read something and keep it in step: again when `key` or the namespace changes, or when one of `nouns` does. */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  nouns: readonly string[] = [],
): Resource<T> {
  const place = `${useStore(namespace)}\n${key}`;
  const [state, setState] = useState<{ place: string; data?: T; error?: unknown; loading: boolean }>({
    place,
    data: shelf.get(place) as T | undefined,
    loading: true,
  });
  const [turn, setTurn] = useState(0);
  const loader = useRef(load);
  useEffect(() => {
    loader.current = load;
  });
  useEffect(() => {
    const stop = new AbortController();
    setState((old) =>
      old.place === place ? { ...old, loading: true } : { place, data: shelf.get(place) as T | undefined, loading: true },
    );
    loader.current(stop.signal).then(
      (data) => {
        if (stop.signal.aborted) return;
        shelf.set(place, data);
        setState({ place, data, loading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState((old) => ({ ...old, error, loading: false }));
      },
    );
    return () => stop.abort();
  }, [place, turn]);
  const reload = useCallback(() => setTurn((old) => old + 1), []);
  useChanges(nouns, reload);
  useAgain(state.error, reload);
  const set = useCallback(
    (data: T) => {
      shelf.set(place, data);
      setState({ place, data, loading: false });
    },
    [place],
  );
  const fits = state.place === place;
  return {
    data: fits ? state.data : (shelf.get(place) as T | undefined),
    error: fits ? state.error : undefined,
    loading: fits ? state.loading : true,
    reload,
    set,
  };
}

export interface Pages<T> {
  items: T[];
  loading: boolean;
  error: unknown;
  done: boolean;
  more(): void;
  reload(): void;
  set(change: (items: T[]) => T[]): void;
}

interface Listed<T> {
  place: string;
  items: T[];
  next: string | null;
  error: unknown;
  loading: boolean;
  done: boolean;
}

const unread = <T>(place: string): Listed<T> => ({ place, items: [], next: null, error: null, loading: true, done: false });

/** Read a list page by page; `key` names the list, and another key begins anew. */
export function usePages<T>(
  key: string,
  load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>,
): Pages<T> {
  const place = `${useStore(namespace)}\n${key}`;
  const [state, setState] = useState<Listed<T>>(() => unread(place));
  const loader = useRef(load);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => {
    loader.current = load;
  });
  const fetchPage = useCallback(
    (cursor: string | null, keep: boolean) => {
      stop.current?.abort();
      const mine = new AbortController();
      stop.current = mine;
      setState((old) => (keep && old.place === place ? { ...old, loading: true, error: null } : unread(place)));
      loader.current(cursor, mine.signal).then(
        (page) => {
          if (mine.signal.aborted) return;
          setState((old) => ({
            place,
            items: cursor === null ? page.items : [...old.items, ...page.items],
            next: page.next,
            error: null,
            loading: false,
            done: page.next === null,
          }));
        },
        (error: unknown) => {
          if (!mine.signal.aborted) setState((old) => ({ ...old, error, loading: false }));
        },
      );
    },
    [place],
  );
  useEffect(() => {
    fetchPage(null, false);
    return () => stop.current?.abort();
  }, [fetchPage]);
  useAgain(state.error, () => fetchPage(state.items.length ? state.next : null, true));
  const fits = state.place === place;
  return {
    items: fits ? state.items : [],
    loading: fits ? state.loading : true,
    error: fits ? state.error : null,
    done: fits && state.done,
    more: () => {
      if (fits && !state.loading && !state.done && !state.error) fetchPage(state.next, true);
    },
    reload: () => fetchPage(null, true),
    set: (change) => setState((old) => ({ ...old, items: change(old.items) })),
  };
}
