import type { components } from "./schema.js";

/** What the server says about an error (RFC 9457), with the fields of its kind: `expected`, `ids`, `nearest`, … */
export type Problem = components["schemas"]["Problem"] & Record<string, unknown>;

const URN = "urn:commonplace:";

/** An error that the server answered with. `name` is its kind: `NotFound`, `Conflict`, `Refused`, `NotAllowed`, … */
export class CommonplaceError extends Error {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Seconds to wait before trying again, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly problem: Problem,
    retryAfter?: number,
  ) {
    super(problem.detail);
    ({ status: this.status, type: this.type, title: this.title, detail: this.detail } = problem);
    this.name = problem.type.startsWith(URN) ? problem.type.slice(URN.length) : "CommonplaceError";
    this.retryAfter = retryAfter;
  }
}

/** Nobody answered. A write carries a key, so that calling it again with the same `idempotencyKey` is safe. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
}

/** No answer within `timeout`. */
export class TimedOut extends Unreachable {
  override readonly name = "TimedOut";
}

/** The error behind an answer of 400 and above. */
export async function errorOf(answer: Response, body: string): Promise<CommonplaceError> {
  const detail = `the server answered ${answer.status}`;
  let problem: Problem = { type: "about:blank", title: answer.statusText, status: answer.status, detail };
  try {
    problem = { ...problem, ...(JSON.parse(body) as Problem) };
  } catch {
    // a proxy answers in a form of its own
  }
  const wait = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  return new CommonplaceError(problem, Number.isFinite(wait) ? wait : undefined);
}
