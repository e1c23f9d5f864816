/** The change feed: server-sent events, read with fetch because EventSource cannot send headers. */
import { useEffect, useRef } from "react";
import { session } from "../session";
import { store } from "../store";
import { credentials } from "./client";
import { refresh } from "./query";
import type { Signal } from "./types";

export interface Event {
  id: string | null;
  name: string;
  data: string;
}

/** Splits a stream of text into events; keeps an unfinished event until its end arrives. */
export function eventReader(): (chunk: string) => Event[] {
  let buffer = "";
  return (chunk) => {
    buffer += chunk;
    const blocks = buffer.split(/\r\n\r\n|\n\n|\r\r/);
    buffer = blocks.pop() ?? "";
    return blocks.map(parseEvent).filter((event): event is Event => event !== null);
  };
}

function parseEvent(block: string): Event | null {
  let id: string | null = null;
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === "id") id = value ?? "";
    else if (field === "event") name = value ?? "";
    else if (field === "data") data.push(value ?? "");
  }
  return data.length ? { id, name, data: data.join("\n") } : null;
}

export type Link = "connecting" | "live" | "offline";
export const link = store<Link>("connecting");

type Listener = (signals: Signal[]) => void;
const listeners = new Set<Listener>();
const BATCH_MS = 300;
let batch: Signal[] = [];
let timer: number | undefined;

/** Collect signals for a moment, then refresh what depends on them once. */
function announce(signal: Signal): void {
  batch.push(signal);
  timer ??= window.setTimeout(() => {
    const signals = batch;
    batch = [];
    timer = undefined;
    refresh(new Set(signals.map(({ noun }) => noun)));
    for (const listener of [...listeners]) listener(signals);
  }, BATCH_MS);
}

/** Follow the feed until stopped; after a lost connection it continues after the last event seen. */
export function follow(): () => void {
  const stop = new AbortController();
  void run(stop.signal);
  return () => stop.abort();
}

async function run(stop: AbortSignal): Promise<void> {
  let last: string | null = null;
  let wait = 1000;
  while (!stop.aborted && session.get()) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream", ...credentials() };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch("/v1/events", { headers, signal: AbortSignal.any([stop, offline()]), cache: "no-store", credentials: "same-origin" });
      if (answer.status === 401 || answer.status === 403) return;
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      const resumed = link.get() === "offline";
      link.set("live");
      wait = 1000;
      if (resumed) announce({ sequence: 0, at: "", noun: "*", id: "", operation: "resumed", namespace: null });
      const read = eventReader();
      const decoder = new TextDecoder();
      const reader = answer.body.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (const event of read(decoder.decode(value, { stream: true }))) {
          if (event.id) last = event.id;
          if (event.name === "change") announce(JSON.parse(event.data) as Signal);
          if (event.name === "shared") announce({ sequence: 0, at: "", noun: "*", id: "", operation: "shared", namespace: null });
        }
      }
    } catch {
      if (stop.aborted) return;
      link.set("offline");
    }
    await pause(wait);
    wait = Math.min(wait * 2, 30_000);
  }
}

/** Fires when the browser loses its network: an open connection may not notice for minutes. */
function offline(): AbortSignal {
  const lost = new AbortController();
  window.addEventListener("offline", () => lost.abort(), { once: true });
  return lost.signal;
}

/** Wait, but not longer than until the browser says that there is a network again. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((wake) => {
    const end = () => {
      window.removeEventListener("online", end);
      clearTimeout(alarm);
      wake();
    };
    const alarm = setTimeout(end, milliseconds);
    window.addEventListener("online", end);
  });
}

/** Call `onChange` with the signals of these nouns, once per batch. */
export function useChanges(nouns: readonly string[], onChange: Listener): void {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const names = nouns.join();
  useEffect(() => {
    const interesting = new Set(["*", ...names.split(",")]);
    const listener: Listener = (signals) => {
      const relevant = signals.filter(({ noun }) => interesting.has(noun));
      if (relevant.length) latest.current(relevant);
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [names]);
}
