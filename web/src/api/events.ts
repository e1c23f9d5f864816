/** The change feed: server-sent events read with fetch, because EventSource cannot carry a token in a header. */
import { useEffect, useRef } from "react";
import { token } from "../session";
import { store } from "../store";
import type { Signal } from "./types";

export interface Event {
  id: string | null;
  name: string;
  data: string;
}

/** Cuts a stream of text into events; keeps the unfinished rest for the next piece. */
export function eventReader(): (piece: string) => Event[] {
  let rest = "";
  return (piece) => {
    rest += piece;
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? "";
    return blocks.map(event).filter((one): one is Event => one !== null);
  };
}

function event(block: string): Event | null {
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

const ears = new Set<(signal: Signal) => void>();

/** Follow the feed until stopped; a lost connection is taken up again after the last event seen. */
export function follow(): () => void {
  const stop = new AbortController();
  void run(stop.signal);
  return () => stop.abort();
}

async function run(stop: AbortSignal): Promise<void> {
  let last: string | null = null;
  let wait = 1000;
  while (!stop.aborted && token.get()) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream", Authorization: `Bearer ${token.get()}` };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await fetch("/v1/events", { headers, signal: AbortSignal.any([stop, offline()]), cache: "no-store" });
      if (answer.status === 401 || answer.status === 403) return;
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      const again = link.get() === "offline";
      link.set("live");
      wait = 1000;
      if (again) hear({ sequence: 0, at: "", noun: "*", id: "", operation: "resumed", namespace: null });
      const read = eventReader();
      const decoder = new TextDecoder();
      const reader = answer.body.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (const one of read(decoder.decode(value, { stream: true }))) {
          if (one.id) last = one.id;
          if (one.name === "change") hear(JSON.parse(one.data) as Signal);
        }
      }
    } catch {
      if (stop.aborted) return;
      link.set("offline");
    }
    await rest(wait);
    wait = Math.min(wait * 2, 30_000);
  }
}

/** Fires when the browser loses its network: a connection that was open may not notice for minutes. */
function offline(): AbortSignal {
  const lost = new AbortController();
  window.addEventListener("offline", () => lost.abort(), { once: true });
  return lost.signal;
}

/** Wait, but not longer than until the browser says that there is a network again. */
function rest(wait: number): Promise<void> {
  return new Promise((wake) => {
    const done = () => {
      window.removeEventListener("online", done);
      clearTimeout(timer);
      wake();
    };
    const timer = setTimeout(done, wait);
    window.addEventListener("online", done);
  });
}

function hear(signal: Signal): void {
  for (const ear of [...ears]) ear(signal);
}

/** Call `heard` shortly after something of these nouns changed, once for a burst. */
export function useChanges(nouns: readonly string[], heard: (signals: Signal[]) => void): void {
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  const wanted = nouns.join();
  useEffect(() => {
    const names = wanted.split(",");
    let gathered: Signal[] = [];
    let timer: number | undefined;
    const ear = (signal: Signal) => {
      if (signal.noun !== "*" && !names.includes(signal.noun)) return;
      gathered.push(signal);
      timer ??= window.setTimeout(() => {
        const burst = gathered;
        gathered = [];
        timer = undefined;
        latest.current(burst);
      }, 300);
    };
    ears.add(ear);
    return () => {
      ears.delete(ear);
      window.clearTimeout(timer);
    };
  }, [wanted]);
}
