/** A scripted API to look at the page without a book. Not shipped; `commonplace serve` is the real one. */
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { memories, directives, steps, entities, relations, core, tags, files } from "./data.mjs";

const STATIC = new URL("../../src/commonplace/interfaces/web/static/", import.meta.url).pathname;
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const now = () => new Date().toISOString();
const ago = (days) => new Date(Date.now() - days * 86_400_000).toISOString();
let serial = 0;
const receipt = (action, ids = [], state = "done") => ({ ref: `r-${++serial}`, id: ids[0] ?? null, ids, action, at: now(), actor: "user", changes: ids.map((id) => ({ action: "UPDATE", noun: "memory", id, reason: action, statement: memories.find((m) => m.id === id)?.text?.slice(0, 80) ?? null, before: 1, after: 2 })), state, notes: [] });
const page = (items, query) => {
  const from = Number(query.get("cursor") ?? 0);
  const limit = Number(query.get("limit") ?? 50);
  return { items: items.slice(from, from + limit), next: from + limit < items.length ? String(from + limit) : null };
};
const proof = (memory) => memories.filter((m) => m.kind === "episodic").slice(memory.text.length % 7, (memory.text.length % 7) + 2).map((episode) => ({ episode, quote: episode.text }));
const versions = (m) => [
  { memory: { ...m, version: 1, text: m.text.replace(/ on | at | in /, " near "), status: "candidate" }, version: 1, recorded_at: ago(40), superseded_at: ago(20), actor: "agent", action: "remember", reason: null },
  { memory: { ...m, version: 2 }, version: 2, recorded_at: ago(20), superseded_at: null, actor: "user", action: "revise", reason: "said so herself" },
];
const listeners = new Set();
const routes = [
  ["GET", /^\/v1\/me$/, () => ({ owner: "ada", plan: process.env.PLAN ?? "pro", features: [], timezone: "Europe/Rome", language: "en", namespace: "default", version: "0.1.0" })],
  ["GET", /^\/v1\/namespaces$/, () => ({ items: [{ name: "default", description: "Everything else", memories: 412 }, { name: "personal", description: "True in every project", memories: 58 }, { name: "orchard", description: "The orchard planner", memories: 961 }], next: null })],
  ["GET", /^\/v1\/memories$/, (_, q) => {
    const want = (name, field) => (m) => !q.has(name) || q.getAll(name).includes(m[field]);
    const found = memories.filter(want("kinds", "kind")).filter(want("categories", "category")).filter(want("statuses", "status")).filter((m) => q.has("kinds") || m.kind !== "episodic");
    return page(q.get("sort") === "oldest" ? [...found].reverse() : found, q);
  }],
  ["GET", /^\/v1\/memories\/([^/]+)$/, ([id]) => memories.find((m) => m.id === id)],
  ["GET", /^\/v1\/memories\/([^/]+)\/versions$/, ([id]) => ({ items: versions(memories.find((m) => m.id === id)), next: null })],
  ["GET", /^\/v1\/memories\/([^/]+)\/evidence$/, ([id]) => ({ items: proof(memories.find((m) => m.id === id)), next: null })],
  ["GET", /^\/v1\/memories\/([^/]+)\/uses$/, () => ({ items: [{ at: ago(1), kind: "context" }, { at: ago(3), kind: "recall" }], next: null })],
  ["PATCH", /^\/v1\/memories\/([^/]+)$/, ([id], _, body) => (Object.assign(memories.find((m) => m.id === id), body, { version: 3 }), receipt("revise", [id]))],
  ["POST", /^\/v1\/memories\/([^/]+)\/(confirm|reject|archive|rollback)$/, ([id, verb]) => (Object.assign(memories.find((m) => m.id === id), { status: { confirm: "verified", reject: "rejected", archive: "archived" }[verb] ?? "verified" }), receipt(verb, [id]))],
  ["DELETE", /^\/v1\/memories\/([^/]+)$/, ([id]) => receipt("forget", [id], "scrubbed")],
  ["POST", /^\/v1\/memories\/bulk$/, (_, __, body) => receipt(body.action, body.ids)],
  ["POST", /^\/v1\/memories$/, () => receipt("remember", [memories[0].id])],
  ["POST", /^\/v1\/recall$/, (_, __, body) => {
    const words = body.query.toLowerCase().split(/\s+/);
    const score = (m) => words.filter((w) => m.text.toLowerCase().includes(w)).length;
    return { items: memories.filter(score).sort((a, b) => score(b) - score(a)).slice(0, body.limit).map((memory) => ({ memory, score: 0.42 + score(memory) / 10, why: { parts: { words: 0.31, meaning: 0.22, graph: 0.04, recency: 0.05, importance: 0.03 }, lists: { words: 1, meaning: 3 }, terms: words, evidence: [] } })) };
  }],
  ["GET", /^\/v1\/hints$/, () => ({ items: memories.filter((m) => m.kind === "proactive"), next: null })],
  ["GET", /^\/v1\/review$/, () => ({ items: memories.filter((m) => m.status === "candidate" && m.kind !== "episodic").slice(0, 8).map((memory, at) => ({ memory, evidence: proof(memory), reason: at % 2 ? "a model concluded it" : "rejected before", conflict: at % 3 === 0 ? memories.find((m) => m.status === "verified") : null })), next: null })],
  ["POST", /^\/v1\/review\/([^/]+)$/, ([id], _, body) => receipt(body.decision, [id])],
  ["GET", /^\/v1\/receipts$/, (_, q) => ({ items: q.getAll("actions").includes("forget") ? [{ ...receipt("forget", ["x"], "scrubbed"), at: ago(2) }, { ...receipt("forget", ["x", "y"], "scrubbed"), at: ago(9) }] : [{ ...receipt("prune", memories.slice(0, 4).map((m) => m.id)), at: ago(1) }], next: null })],
  ["POST", /^\/v1\/receipts\/([^/]+)\/undo$/, () => receipt("undo")],
  ["POST", /^\/v1\/receipts\/([^/]+)\/verify$/, () => ({ gone: true })],
  ["GET", /^\/v1\/timeline$/, () => ({ items: Array.from({ length: 45 }, (_, at) => ({ day: ago(at).slice(0, 10), episodes: (at * 7) % 11, learned: (at * 5) % 6, forgotten: at % 9 === 0 ? 1 : 0 })), next: null })],
  ["GET", /^\/v1\/episodes$/, () => ({ items: memories.filter((m) => m.kind === "episodic").slice(0, 6), next: null })],
  ["GET", /^\/v1\/me\/memory\/core$/, () => ({ items: core, next: null })],
  ["PUT", /^\/v1\/me\/memory\/core\/([^/]+)$/, ([key], _, body) => {
    const had = core.find((one) => one.key === decodeURIComponent(key));
    if (had) Object.assign(had, { value: body.value, version: had.version + 1 });
    else core.push({ id: key, key: decodeURIComponent(key), value: body.value, updated_at: now(), version: 1 });
    return receipt("remember", ["c"]);
  }],
  ["DELETE", /^\/v1\/me\/memory\/core\/([^/]+)$/, () => receipt("archive", ["c"])],
  ["GET", /^\/v1\/me\/memory\/relational$/, () => ({ items: relations.slice(0, 9).map((r) => ({ id: r.id, subject: r.subject.label, predicate: r.predicate, object: r.object.label, confidence: r.confidence, last_confirmed_at: r.last_confirmed_at, notes: null, version: 1 })), next: null })],
  ["POST", /^\/v1\/me\/memory\/forget-all$/, () => receipt("erase", memories.slice(0, 3).map((m) => m.id), "scrubbed")],
  ["GET", /^\/v1\/predicates$/, () => ({ items: ["knows", "works_with", "reports_to", "lives_in", "leads"].map((name) => ({ name, builtin: true })), next: null })],
  ["GET", /^\/v1\/entities$/, (_, q) => page(entities, q)],
  ["GET", /^\/v1\/relations$/, (_, q) => page(relations, q)],
  ["GET", /^\/v1\/directives$/, () => ({ items: directives, next: null })],
  ["GET", /^\/v1\/directives\/([^/]+)$/, ([id]) => directives.find((d) => d.id === id)],
  ["GET", /^\/v1\/directives\/([^/]+)\/steps$/, () => ({ items: steps, next: null })],
  ["GET", /^\/v1\/directives\/([^/]+)\/memories$/, () => ({ items: memories.slice(3, 8).map((m, at) => ({ ...m, step: steps[at % 3].id })), next: null })],
  ["GET", /^\/v1\/directives\/([^/]+)\/prompt$/, () => ({ text: "MEMORY CONTEXT (insights and decisions from previous cycles)\n- [decision] (planner): keep the frost model in one file\n\nTITLE\nFrost warnings for the orchard\n", memories: ["m1"], left_out: 0, fault: null })],
  ["GET", /^\/v1\/notebook$/, () => ({ files: files.map(({ text, ...rest }) => ({ ...rest, size: text.length })) })],
  ["GET", /^\/v1\/notebook\/(.+)$/, ([name]) => files.find((f) => f.name === decodeURIComponent(name))],
  ["GET", /^\/v1\/jobs$/, () => ({ items: [{ id: "j1", kind: "embed", state: "done", attempts: 1, error: null, finished_at: ago(0.1) }, { id: "j2", kind: "extract", state: "running", attempts: 1, error: null, due_at: now() }, { id: "j3", kind: "extract", state: "dead", attempts: 5, error: "the model did not answer in time", finished_at: ago(1) }, { id: "j4", kind: "mine", state: "waiting", attempts: 0, error: null, due_at: ago(-0.2) }], next: null })],
  ["POST", /^\/v1\/jobs\/([^/]+)\/retry$/, () => ({})],
  ["POST", /^\/v1\/maintenance\/(\w+)$/, ([verb], _, body) => receipt(verb, memories.slice(0, 3).map((m) => m.id), body.dry_run ? "dry run" : "done")],
  ["GET", /^\/v1\/usage$/, () => ({ items: Array.from({ length: 25 }, (_, at) => ({ day: ago(at).slice(0, 10), what: "extraction", calls: (at * 3) % 20, tokens: ((at * 7919) % 17) * 1400 })), cap: 25_000 })],
  ["GET", /^\/v1\/audit$/, (_, q) => page(Array.from({ length: 240 }, (_, at) => ({ sequence: 240 - at, at: ago(at / 8), actor: at % 3 ? "agent" : "user", action: ["remember", "revise", "forget", "confirm"][at % 4], target: `memory/${memories[at % 50].id}`, reason: at % 5 ? null : "said so" })), q)],
  ["POST", /^\/v1\/audit\/verify$/, () => ({ ok: true, lines: 240, problem: null })],
  ["POST", /^\/v1\/backup$/, () => ({ path: "backups/book-2026-11-15.db", size: 1_843_200 })],
  ["GET", /^\/v1\/tokens$/, () => ({ items: [{ id: "t1", name: "this page", scopes: ["read", "write", "admin"], namespaces: [], created_at: ago(30), expires_at: null }, { id: "t2", name: "editor", scopes: ["read"], namespaces: ["orchard"], created_at: ago(3), expires_at: ago(-60) }], next: null })],
  ["POST", /^\/v1\/tokens$/, () => ({ id: "t3", secret: "cp_example_shown_once" })],
  ["GET", /^\/v1\/tags$/, () => ({ items: tags, next: null })],
  ["POST", /.*/, () => ({})],
  ["PATCH", /.*/, () => ({})],
  ["DELETE", /.*/, () => receipt("delete")],
];

createServer((request, response) => {
  const url = new URL(request.url, "http://x");
  if (!url.pathname.startsWith("/v1/")) {
    const file = join(STATIC, normalize(url.pathname === "/" ? "/index.html" : url.pathname));
    if (!file.startsWith(STATIC) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Security-Policy": CSP });
    return createReadStream(file).pipe(response);
  }
  if (request.headers.authorization !== "Bearer dev") return response.writeHead(401, { "Content-Type": "application/problem+json" }).end('{"title":"Not signed in","status":401}');
  if (url.pathname === "/v1/events") {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": hello\n\n");
    listeners.add(response);
    return request.on("close", () => listeners.delete(response));
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const found = routes.find(([method, path]) => method === request.method && path.test(url.pathname));
    const body = chunks.length && request.headers["content-type"]?.includes("application/json") ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const answer = found?.[2](found[1].exec(url.pathname).slice(1), url.searchParams, body);
    const missing = answer === undefined;
    response.writeHead(missing ? 404 : 200, { "Content-Type": "application/json" }).end(JSON.stringify(missing ? { title: "Not found", status: 404, detail: "" } : answer));
  });
}).listen(Number(process.env.PORT ?? 8765), "127.0.0.1", () => console.log("http://127.0.0.1:8765/#token=dev"));
