import { search, type Params } from "../router";
import { namespace, signOut, token } from "../session";

/** The server answered with an error; `body` is its problem document. */
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

  /** Somebody wrote a newer version first. */
  get conflict(): boolean {
    return this.status === 412 || (this.status === 409 && "found" in this.body);
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export interface Ask {
  query?: Params;
  body?: unknown;
  /** The version last read: the write fails with 412 if a newer one stands. */
  version?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Ask outside a namespace (tokens, namespaces, the person). */
  bare?: boolean;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export async function send(method: Method, path: string, ask: Ask = {}): Promise<Response> {
  const query = search(ask.bare ? (ask.query ?? {}) : { namespace: namespace.get(), ...ask.query });
  const headers: Record<string, string> = { Accept: "application/json", ...ask.headers };
  const secret = token.get();
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (ask.body !== undefined) headers["Content-Type"] = "application/json";
  if (ask.version !== undefined) headers["If-Match"] = `"${ask.version}"`;
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  const init: RequestInit = { method, headers, cache: "no-store", credentials: "omit" };
  if (ask.body !== undefined) init.body = JSON.stringify(ask.body);
  if (ask.signal) init.signal = ask.signal;
  let answer: Response;
  try {
    answer = await fetch(`${path}${query ? `?${query}` : ""}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable(path);
  }
  if (answer.ok) return answer;
  const problem = await problemOf(answer);
  if (problem.status === 401 && secret === token.get()) signOut();
  throw problem;
}

async function problemOf(answer: Response): Promise<Problem> {
  let body: Record<string, unknown> = {};
  try {
    body = (await answer.json()) as Record<string, unknown>;
  } catch {
    // A proxy in between may answer with something that is not JSON; the status says enough.
  }
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return new Problem(answer.status, text(body.title) || answer.statusText, text(body.detail), body);
}

export async function call<T>(method: Method, path: string, ask: Ask = {}): Promise<T> {
  const answer = await send(method, path, ask);
  if (answer.status === 204) return undefined as T;
  return (await answer.json()) as T;
}

export const part = encodeURIComponent;
