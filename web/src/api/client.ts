import { search, type Params } from "../router";
import { endSession, namespace, session } from "../session";

/** The server answered with an error; `body` is its problem document (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(detail || title);
    this.name = "Problem";
  }

  /** What exactly is wrong, such as `too_long`; empty where the server has no code for it. */
  get code(): string {
    return typeof this.body.code === "string" ? this.body.code : "";
  }

  /** The numbers that belong to the code. */
  get values(): Record<string, number> {
    return (this.body.values ?? {}) as Record<string, number>;
  }

  /** The name of the server's error class, such as `NotFound`; empty for errors of HTTP itself. */
  get kind(): string {
    return typeof this.body.type === "string" ? (/^urn:commonplace:(\w+)$/.exec(this.body.type)?.[1] ?? "") : "";
  }

  /** Someone else wrote a newer version first. */
  get conflict(): boolean {
    return this.status === 412 || (this.status === 409 && "found" in this.body);
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export interface Options {
  query?: Params;
  body?: unknown;
  /** The version last read: the write fails with 412 if there is a newer one. */
  version?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Ask outside a namespace (tokens, namespaces, the person). */
  bare?: boolean;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What shows the server that this request is the page's own. */
export const credentials = (): Record<string, string> => {
  const current = session.get();
  return current ? { "X-CSRF-Token": current.csrf } : {};
};

export async function send(method: Method, path: string, options: Options = {}, again = true): Promise<Response> {
  const query = search(options.bare ? (options.query ?? {}) : { namespace: namespace.get(), ...options.query });
  const used = session.get();
  const headers: Record<string, string> = { Accept: "application/json", ...credentials(), ...options.headers };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (options.version !== undefined) headers["If-Match"] = `"${options.version}"`;
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "same-origin" };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;
  let answer: Response;
  try {
    answer = await fetch(`${path}${query ? `?${query}` : ""}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable(path);
  }
  if (answer.ok) return answer;
  if (answer.status === 401 && used) {
    // The session may have been renewed while this request was on its way.
    if (used !== session.get() && session.get() && again) return send(method, path, options, false);
    if (used === session.get()) endSession();
  }
  throw await problemOf(answer);
}

async function problemOf(answer: Response): Promise<Problem> {
  let body: Record<string, unknown> = {};
  try {
    body = (await answer.json()) as Record<string, unknown>;
  } catch {
    // A proxy in between may answer with something that is not JSON; the status says enough.
  }
  return problem(answer.status, answer.statusText, body);
}

export function problem(status: number, statusText: string, body: Record<string, unknown>): Problem {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return new Problem(status, text(body.title) || statusText, text(body.detail), body);
}

export async function call<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const answer = await send(method, path, options);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

/** A part of a path, encoded. */
export const part = encodeURIComponent;
