import { pause, waitOf, type CallOptions, type Connection } from "./connection.js";
import { Unreachable } from "./errors.js";

/** Something was written or deleted. Ids only, never text. */
export interface Change {
  sequence: number;
  at: string;
  noun: string;
  id: string;
  operation: string;
  /** An id. */
  namespace: string | null;
}

export interface FollowOptions extends Pick<CallOptions, "signal" | "timeout" | "retries"> {
  /** Go on after this change; default: from now on. */
  after?: number;
  /** Called at each connection, when later changes will be seen. */
  onOpen?: () => void;
}

const SILENCE = 60_000; // the server says something every 15 seconds

/** Changes as they happen. After an interruption it connects again and goes on where it was. */
export async function* follow(connection: Connection, options: FollowOptions = {}): AsyncGenerator<Change> {
  const retries = options.retries ?? connection.options.retries ?? 3;
  let last = options.after === undefined ? undefined : `${options.after}`;
  for (let failures = 0; ; ) {
    try {
      const headers = { Accept: "text/event-stream", ...(last === undefined ? {} : { "Last-Event-ID": last }) };
      const answer = await connection.open("events", { headers }, options);
      options.onOpen?.();
      for await (const line of lines(answer, SILENCE, options.signal)) {
        failures = 0;
        if (line.startsWith("id:")) last = line.slice(3).trim();
        if (line.startsWith("data:")) yield JSON.parse(line.slice(5)) as Change;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      const status = (error as { status?: number }).status;
      if ((status !== undefined && status < 500 && status !== 429) || failures >= retries) throw error;
    }
    if (failures++ >= retries) throw new Unreachable(`${connection.base} ended the feed`);
    await pause(waitOf(failures - 1, undefined), options.signal);
  }
}

/** The lines of a long answer, as they come. */
export async function* lines(answer: Response, silence = 0, signal?: AbortSignal): AsyncGenerator<string> {
  if (answer.body === null) return;
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let tail = "";
  try {
    for (;;) {
      const { done, value } = await limited(reader.read(), silence, signal);
      tail += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const parts = tail.split("\n");
      tail = parts.pop() ?? "";
      for (const line of parts) yield line;
      if (done) break;
    }
    if (tail !== "") yield tail;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `work`, ended by an error after so many milliseconds or by the caller. */
function limited<T>(work: Promise<T>, milliseconds: number, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason);
    const timer = milliseconds ? setTimeout(() => reject(new Unreachable("the feed is silent")), milliseconds) : undefined;
    signal?.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
    if (signal?.aborted) stop();
  });
}
