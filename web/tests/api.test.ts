import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { call, Problem, Unreachable } from "../src/api/client";
import { eventReader } from "../src/api/events";
import { byRelevance, matchedWords } from "../src/api/recall";
import type { Memory } from "../src/api/types";
import { namespace, session } from "../src/session";

const SESSION = { csrf: "secret", expires_at: "2100-01-01T00:00:00Z" };

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value), removeItem: (name: string) => kept.delete(name) });

let asked: { url: string; init: RequestInit }[] = [];

function answers(status: number, body: unknown, type = "application/json") {
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return Promise.resolve(new Response(status === 204 ? null : typeof body === "string" ? body : JSON.stringify(body), { status, headers: { "Content-Type": type } }));
  });
}

beforeEach(() => {
  asked = [];
  session.set(SESSION);
  namespace.set("work");
});
afterEach(() => vi.unstubAllGlobals);

const head = (name: string) => (asked[0]!.init.headers as Record<string, string>)[name];

describe("asking the server", () => {
  it("says who asks and in which namespace", async () => {
    answers(200, { items: [], next: null });
    await call("GET", "/v1/memories", { query: { kinds: ["core", "episodic"], cursor: null } });
    expect(asked[0]!.url).toBe("/v1/memories?namespace=work&kinds=core&kinds=episodic");
    expect(head("X-CSRF-Token")).toBe("secret");
    expect(head("Authorization")).toBeUndefined();
    expect(asked[0]!.init.credentials).toBe("same-origin");
  });

  it("asks outside a namespace when told to", async () => {
    answers(200, {});
    await call("GET", "/v1/tokens", { bare: true });
    expect(asked[0]!.url).toBe("/v1/tokens");
  });

  it("sends the version it last read, and a key that makes a repeated write harmless", async () => {
    answers(200, {});
    await call("PATCH", "/v1/memories/m", { body: { text: "x" }, version: 3 });
    expect(head("If-Match")).toBe('"3"');
    expect(head("Idempotency-Key")).toBeUndefined();
    asked = [];
    await call("POST", "/v1/memories", { body: { text: "x" } });
    expect(head("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
    expect(asked[0]!.init.body).toBe('{"text":"x"}');
  });

  it("gives nothing for an answer without content", async () => {
    answers(204, "");
    expect(await call("DELETE", "/v1/tokens/t")).toBeUndefined();
  });
});

describe("when it goes wrong", () => {
  const failure = async (): Promise<unknown> => call("GET", "/v1/x").catch((error: unknown) => error);

  it("tells a newer version from other conflicts", async () => {
    answers(409, { title: "Someone else wrote first", detail: "at version 4", expected: 3, found: 4 });
    const first = (await failure()) as Problem;
    expect([first.conflict, first.status, first.message]).toEqual([true, 409, "at version 4"]);
    answers(412, { title: "stale" });
    expect(((await failure()) as Problem).conflict).toBe(true);
    answers(409, { title: "Several memories fit", ids: ["a", "b"] });
    expect(((await failure()) as Problem).conflict).toBe(false);
  });

  it("signs out when the session has ended, and only then", async () => {
    answers(403, { title: "Not allowed" });
    await failure();
    expect(session.get()).toBe(SESSION);
    answers(401, { title: "Not signed in" });
    await failure();
    expect(session.get()).toBeNull();
  });

  it("understands an answer that is no problem document", async () => {
    answers(502, "<html>bad gateway</html>", "text/html");
    const problem = (await failure()) as Problem;
    expect(problem).toBeInstanceOf(Problem);
    expect(problem.status).toBe(502);
  });

  it("says when the server cannot be reached", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
    expect(await failure()).toBeInstanceOf(Unreachable);
  });
});

describe("relevance", () => {
  const hit = (id: string, score: number, lists: Record<string, number>, meaning: number, terms: string[] = []) => ({ memory: { id } as Memory, score, why: { parts: { meaning }, lists, terms, evidence: [] }, overturned: false });

  it("tells answers from what is merely nearest", () => {
    const nonsense = [hit("a", 0.34, { meaning: 1 }, 0.22), hit("b", 0.3, { meaning: 2 }, 0.2)];
    expect(byRelevance(nonsense).relevant).toEqual([]);
    const found = [hit("a", 1.4, { words: 1 }, 0.5, ["frost"]), hit("b", 0.9, { meaning: 2 }, 0.42), hit("c", 0.3, { words: 9 }, 0.03)];
    expect(byRelevance(found).relevant.map(({ memory }) => memory.id)).toEqual(["a", "b"]);
  });

  it("highlights what the server matched, not every word of the question", () => {
    expect(matchedWords("where is the frost model", [hit("a", 1, {}, 0, ["frost", "model"])])).toEqual(["frost", "model"]);
    expect(matchedWords("allergies", [hit("a", 1, {}, 0)])).toEqual(["allergies"]);
  });
});

describe("the change feed", () => {
  it("is cut into events, however the pieces arrive", () => {
    const stream = ": hello\n\nid: 7\nevent: change\ndata: {\"a\":1}\n\nid: 8\r\nevent: change\r\ndata: one\r\ndata: two\r\n\r\n";
    const whole = eventReader()(stream);
    expect(whole).toEqual([
      { id: "7", name: "change", data: '{"a":1}' },
      { id: "8", name: "change", data: "one\ntwo" },
    ]);
    const read = eventReader();
    expect([...stream.replaceAll("\r\n", "\n")].flatMap((letter) => read(letter))).toEqual(whole);
  });
});
