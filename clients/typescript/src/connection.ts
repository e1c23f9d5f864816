import { errorOf, TimedOut, Unreachable } from "./errors.js";
import { ROUTES } from "./routes.js";
import type { operations } from "./schema.js";

export type Operation = keyof typeof ROUTES & keyof operations;
type Parameters<O extends Operation> = operations[O]["parameters"];
type Content<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
/** What an operation takes as its body. */
export type BodyOf<O extends Operation> = Content<NonNullable<operations[O]["requestBody"]>>;
/** What an operation takes in its query. */
export type QueryOf<O extends Operation> = Omit<NonNullable<Parameters<O>["query"]>, "namespace">;
/** What an operation answers with. */
export type AnswerOf<O extends Operation> = {
  [Code in 200 | 201]: operations[O]["responses"] extends Record<Code, infer Answer> ? Content<Answer> : never;
}[200 | 201];
/** An operation that answers with a list. */
export type ListOperation = {
  [O in Operation]: [AnswerOf<O>] extends [never] ? never : AnswerOf<O> extends { items: unknown[] } ? O : never;
}[Operation];
export type ItemOf<O extends ListOperation> = AnswerOf<O> extends { items: (infer Item)[] } ? Item : never;

export interface ConnectionOptions {
  /** Address of the server, such as `https://book.example`. */
  url: string;
  /** An API token, or a function that gets one. It says whose book this is. */
  token: string | (() => string | Promise<string>);
  /** The namespace of every call; default: `default`, or the only one that the token reaches. */
  namespace?: string;
  /** Who speaks, where that is less than the token's own: `assistant`, `tool`, … */
  source?: "planner" | "executor" | "assistant" | "tool";
  /** Milliseconds for one attempt; default 30,000, 0 for no limit. */
  timeout?: number;
  /** Further attempts after one that failed; default 3. */
  retries?: number;
  /** The `fetch` to use; default: the global one. */
  fetch?: typeof globalThis.fetch;
}

/** What can be said about one call. */
export interface CallOptions {
  signal?: AbortSignal;
  timeout?: number;
  retries?: number;
  /** Done once for each key within a day; every POST that writes has one of its own otherwise. */
  idempotencyKey?: string;
}

export interface Arguments {
  path?: Record<string, string>;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  /** The version that the caller last read; a newer one is a `Conflict`. */
  expected?: number | undefined;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const NOT_DONE = new Set([429, 503]); // the server says that it did nothing
const PERHAPS_DONE = new Set([408, 502, 504]);

/** One server in one namespace: requests with retries, timeouts and errors. */
export class Connection {
  readonly base: string;

  constructor(readonly options: ConnectionOptions) {
    const url = new URL(options.url);
    if (url.protocol === "http:" && !LOOPBACK.has(url.hostname)) {
      throw new TypeError("a token is sent over https only, except to this machine; use an https:// address");
    }
    this.base = options.url.replace(/\/+$/, "");
  }

  /** The answer's JSON. */
  async call<O extends Operation>(operation: O, args: Arguments = {}, options: CallOptions = {}): Promise<AnswerOf<O>> {
    const body = await this.text(operation, args, options);
    return (body === "" ? undefined : JSON.parse(body)) as AnswerOf<O>;
  }

  /** The answer's text. Tries again where that cannot do the work twice. */
  async text(operation: Operation, args: Arguments, options: CallOptions): Promise<string> {
    const [method, path, retry] = ROUTES[operation];
    const init = await this.request(method, args, retry === "key" ? (options.idempotencyKey ?? newKey()) : undefined);
    const url = this.address(path, args);
    const retries = options.retries ?? this.options.retries ?? 3;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.attempt(url, init, options);
      } catch (error) {
        const status = (error as { status?: number }).status;
        const again = status === undefined ? error instanceof Unreachable : PERHAPS_DONE.has(status);
        if (attempt >= retries || !(NOT_DONE.has(status ?? 0) || (again && retry !== "never"))) throw error;
        await pause(waitOf(attempt, (error as { retryAfter?: number }).retryAfter), options.signal);
      }
    }
  }

  /** An answer whose body is read as it comes; `timeout` is for its beginning. */
  async open(operation: Operation, args: Arguments, options: CallOptions): Promise<Response> {
    const [method, path] = ROUTES[operation];
    const init = await this.request(method, args, undefined);
    return this.within(options, async (signal) => {
      const answer = await this.send(this.address(path, args), { ...init, signal });
      if (!answer.ok) throw await errorOf(answer, await answer.text());
      return answer;
    });
  }

  private attempt(url: string, init: RequestInit, options: CallOptions): Promise<string> {
    return this.within(options, async (signal) => {
      const answer = await this.send(url, { ...init, signal });
      const body = await answer.text();
      if (!answer.ok) throw await errorOf(answer, body);
      return body;
    });
  }

  private send(url: string, init: RequestInit): Promise<Response> {
    return (this.options.fetch ?? globalThis.fetch)(url, init);
  }

  /** Runs `work` until it ends, the caller aborts, or the time is over. The caller's signal stays in force after it. */
  private async within<T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    const controller = new AbortController();
    const timeout = options.timeout ?? this.options.timeout ?? 30_000;
    let late = false;
    const timer = setTimeout(
      () => {
        late = true;
        controller.abort();
      },
      timeout || 2 ** 31 - 1,
    );
    options.signal?.addEventListener("abort", () => controller.abort(options.signal?.reason), { once: true });
    try {
      return await work(controller.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (late) throw new TimedOut(`${this.base} did not answer within ${timeout} ms`);
      if (error instanceof Error && "status" in error) throw error;
      throw new Unreachable(`${this.base} cannot be reached; nothing was written, or the answer was lost`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  private async request(method: string, args: Arguments, key: string | undefined): Promise<RequestInit> {
    const { token, source } = this.options;
    const headers: Record<string, string> = {
      Authorization: `Bearer ${typeof token === "string" ? token : await token()}`,
      ...args.headers,
    };
    if (source !== undefined) headers["X-Source"] = source;
    if (args.expected !== undefined) headers["If-Match"] = `"${args.expected}"`;
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (args.body === undefined) return { method, headers };
    if (headers["Content-Type"]) return { method, headers, body: args.body as BodyInit };
    headers["Content-Type"] = "application/json";
    return { method, headers, body: JSON.stringify(args.body) };
  }

  private address(path: string, args: Arguments): string {
    const filled = path.replace(/{(\w+)}/g, (_, name: string) => segment(args.path?.[name] ?? ""));
    const query = new URLSearchParams();
    const values: Record<string, unknown> = { namespace: this.options.namespace, ...args.query };
    for (const [name, value] of Object.entries(values)) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (item !== undefined && item !== null) query.append(name, item instanceof Date ? item.toISOString() : `${item}`);
      }
    }
    return `${this.base}${filled}${query.size ? `?${query}` : ""}`;
  }
}

/** One part of a path. A name of one or two dots would climb however it is written: that is how URLs are read. */
function segment(text: string): string {
  if (text === "" || text === "." || text === "..") throw new TypeError(`not an id or name: "${text}"`);
  return encodeURIComponent(text);
}

function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Milliseconds before another attempt: what the server says, or twice as long each time, at most 8 seconds. */
export function waitOf(attempt: number, retryAfter: number | undefined): number {
  if (retryAfter !== undefined) return retryAfter * 1000;
  return Math.min(8000, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
