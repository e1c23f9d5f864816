/** Reading from the server with TanStack Query: cached, shared between components, and refreshed by the change feed. */
import { QueryCache, QueryClient, useInfiniteQuery, useQuery, type InfiniteData } from "@tanstack/react-query";
import { useCallback } from "react";
import { namespace } from "../session";
import { useStore } from "../store";
import { Problem } from "./client";
import type { Page } from "./types";

/** What may be read no longer, as after leaving a shared namespace, is not kept. */
const queryCache = new QueryCache({
  onError: (error, query) => {
    if (error instanceof Problem && error.status === 403) query.setState({ data: undefined });
  },
});
export const queryClient = new QueryClient({
  queryCache,
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, networkMode: "always", structuralSharing: true } },
});

/** Read again everything on screen that depends on one of these nouns; `*` means everything. */
export function refresh(nouns: ReadonlySet<string>): void {
  if (nouns.has("*")) queryClient.removeQueries({ type: "inactive" });
  void queryClient.invalidateQueries({
    predicate: ({ meta }) => nouns.has("*") || (Array.isArray(meta?.nouns) && meta.nouns.some((noun: string) => nouns.has(noun))),
  });
}

export interface Resource<T> {
  data: T | undefined;
  error: unknown;
  loading: boolean;
  reload(): void;
  /** Show a value before the server has confirmed it. */
  set(next: T): void;
}

/** Read `key` of the current namespace; read it again when one of `nouns` changes. */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>, nouns: readonly string[] = []): Resource<T> {
  const space = useStore(namespace);
  const query = useQuery<T>({ queryKey: [space, key], queryFn: ({ signal }) => load(signal), meta: { nouns } });
  const { refetch } = query;
  const reload = useCallback(() => void refetch(), [refetch]);
  const set = useCallback((next: T) => void queryClient.setQueryData([space, key], next), [space, key]);
  return { data: query.data, error: query.error, loading: query.isFetching, reload, set };
}

export interface Pages<T> {
  items: T[];
  loading: boolean;
  error: unknown;
  /** How many there are in all, where the server counts them. */
  total: number | undefined;
  /** The last page has been read. */
  complete: boolean;
  more(): void;
  reload(): void;
  set(change: (items: T[]) => T[]): void;
}

type Loaded<T> = InfiniteData<Page<T>, string | null>;

/** Read a list page by page; another `key` is another list. */
export function usePages<T>(key: string, load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>, nouns: readonly string[] = []): Pages<T> {
  const space = useStore(namespace);
  const queryKey = [space, key];
  const query = useInfiniteQuery<Page<T>, Error, Loaded<T>, readonly unknown[], string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null,
    getNextPageParam: (last) => last.next,
    meta: { nouns },
  });
  const update = (change: (old: Loaded<T>) => Loaded<T>) => queryClient.setQueryData<Loaded<T>>(queryKey, (old) => old && change(old));
  return {
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    loading: query.isFetching,
    error: query.error,
    total: query.data?.pages[0]?.total,
    complete: query.data !== undefined && !query.hasNextPage,
    more: () => {
      if (query.hasNextPage && !query.isFetching && !query.error) void query.fetchNextPage();
    },
    reload: () => {
      // From the first page: reading every page again would take as long as scrolling to it did.
      update((old) => ({ pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) }));
      void query.refetch();
    },
    set: (change) =>
      update((old) => {
        const before = old.pages.flatMap((page) => page.items);
        const items = change(before);
        const next = old.pages.at(-1)?.next ?? null;
        const total = old.pages[0]?.total;
        return { pages: [{ items, next, ...(total === undefined ? {} : { total: total + items.length - before.length }) }], pageParams: [null] };
      }),
  };
}
