// Run by tests/clients/test_typescript.py against a running server.
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";

import { Commonplace, CommonplaceError, TimedOut, Unreachable } from "commonplace-memory";

const url = process.env.COMMONPLACE_URL;
const token = process.env.COMMONPLACE_TOKEN;
const book = new Commonplace({ url, token }).within("client");

/** A server of the test's own: `answer` gets the number of the request, the request and its response. */
async function serving(answer) {
  let count = 0;
  const requests = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    answer(count++, request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => (server.closeAllConnections(), server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close };
}

/** Passes requests on to the real server, and loses the answers for which `lose` holds. */
const passing = (lose) =>
  serving(async (number, request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { host, connection, ...headers } = request.headers;
    const body = parts.length ? Buffer.concat(parts) : undefined;
    const answer = await fetch(url + request.url, { method: request.method, headers, body });
    const text = await answer.text();
    if (lose(number)) return request.socket.destroy();
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(text);
  });

test("the verbs keep, find, correct and forget", async () => {
  const receipt = await book.remember("Ada prefers trains", { category: "preference", tags: ["travel"] });
  assert.equal(receipt.action, "ADD");
  assert.equal((await book.get(receipt.id)).text, "Ada prefers trains");
  assert.equal((await book.recall("how does Ada travel?"))[0].memory.id, receipt.id);
  assert.match(await book.context("trains"), /<memory_context>[^]*trains/);
  const revised = await book.revise(receipt.id, { text: "Ada prefers night trains", expected: 1 });
  assert.deepEqual((await book.history(receipt.id)).map((version) => version.version), [1, 2]);
  await book.undo(revised);
  assert.equal((await book.get(receipt.id)).text, "Ada prefers trains");
  const many = await book.rememberMany(["One", { text: "Two", metadata: { number: 2 } }]);
  assert.equal((await book.browse({ metadata: { number: 2 } }))[0].id, many.ids[1]);
  const conversation = await book.observe([{ text: "I moved to Bern", speaker: "Ada" }, "Good"], { session: "monday" });
  assert.equal((await book.sessions.list())[0].name, "monday");
  assert.ok(conversation.ids.length >= 2);
  await book.relate("Giulia", "reports_to", "Marco", { object_type: "person" });
  assert.equal((await book.relations({ subject: "Giulia" }))[0].object.label, "Marco");
  await book.core.set("city", "Bern");
  assert.equal((await book.core.get("City")).value, "Bern");
  const proposal = await book.forgetByDescription("how Ada travels", { dry_run: true });
  assert.ok("targets" in proposal || proposal.state);
  await book.forget(receipt.id);
  await assert.rejects(book.get(receipt.id), { name: "NotFound", status: 404 });
});

test("namespaces, dots and odd names stay apart", async () => {
  for (const name of ["a..b", "x/y", "ä?&#"]) {
    await book.core.set(name, `value of ${name}`);
    assert.equal((await book.core.get(name)).value, `value of ${name}`);
  }
  for (const name of ["..", ".", ""]) await assert.rejects(book.core.set(name, "climbs"), TypeError);
  const other = book.within("other");
  await other.remember("Only here");
  assert.equal((await other.browse()).length, 1);
  assert.equal((await book.browse({ limit: 1000 })).some((memory) => memory.text === "Only here"), false);
});

test("every item of a list, page by page", async () => {
  const many = book.within("many");
  await many.rememberMany(Array.from({ length: 25 }, (_, number) => `Fact number ${number}`));
  const texts = [];
  for await (const memory of many.each("browse", { query: { limit: 10, sort: "oldest" } })) texts.push(memory.text);
  assert.equal(new Set(texts).size, 25);
  const lines = [];
  for await (const line of many.export({ namespaces: ["many"] })) lines.push(line);
  assert.ok(lines.length > 25 && JSON.parse(lines[0]));
  assert.equal((await many.import(lines, { dry_run: true })).dry_run, true);
});

test("an agent's statements are candidates", async () => {
  const { id } = await book.actingAs("assistant").remember("Ada seems to like jazz");
  assert.equal((await book.get(id)).status, "candidate");
});

test("errors carry the fields of the problem, and never a text", async () => {
  const { id } = await book.remember("Ada plays chess on Sundays");
  const error = await book.revise(id, { text: "Ada plays go", expected: 7 }).catch((caught) => caught);
  assert.ok(error instanceof CommonplaceError);
  assert.deepEqual([error.name, error.status, error.problem.expected, error.problem.found], ["Conflict", 412, 7, 1]);
  assert.equal(error.type, "urn:commonplace:Conflict");
  assert.ok(!JSON.stringify(error).includes("chess"));
  await assert.rejects(new Commonplace({ url, token: "wrong" }).stats(), { status: 401 });
  assert.throws(() => new Commonplace({ url: "http://book.example", token }), /https only/);
});

test("a write whose answer is lost is done once", async () => {
  const proxy = await passing((number) => number < 2);
  const far = new Commonplace({ url: proxy.url, token }).within("lost");
  const receipt = await far.remember("Stored once");
  assert.equal(proxy.requests.length, 3);
  assert.equal(new Set(proxy.requests.map((request) => request.headers["idempotency-key"])).size, 1);
  assert.equal((await book.within("lost").browse()).length, 1);
  assert.equal((await book.within("lost").browse())[0].id, receipt.id);
  const key = { idempotencyKey: "a key of the caller" };
  assert.equal((await far.remember("Twice", {}, key)).ref, (await far.remember("Twice", {}, key)).ref);
  proxy.close();
});

test("a revision whose answer is lost is not sent again", async () => {
  const { id } = await book.remember("Ada sails");
  const proxy = await passing(() => true);
  const far = new Commonplace({ url: proxy.url, token }).within("client");
  await assert.rejects(far.revise(id, { text: "Ada sails at night" }), Unreachable);
  assert.equal(proxy.requests.length, 1);
  assert.equal((await book.get(id)).version, 2);
  proxy.close();
});

test("it waits as long as the server says, and no longer than the caller", async () => {
  const busy = await serving((number, _request, response) => {
    if (number === 0) return response.writeHead(429, { "Retry-After": "0" }).end("{}");
    if (number === 1) return response.writeHead(503).end("a proxy's own words");
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"items": []}');
  });
  assert.deepEqual(await new Commonplace({ url: busy.url, token }).recall("anything"), []);
  assert.equal(busy.requests.length, 3);
  busy.close();
  const silent = await serving(() => undefined);
  const far = new Commonplace({ url: silent.url, token, retries: 0 });
  await assert.rejects(far.stats({ timeout: 50 }), TimedOut);
  await assert.rejects(far.stats({ signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  const stopped = new AbortController();
  stopped.abort(new Error("enough"));
  await assert.rejects(far.stats({ signal: stopped.signal }), /enough/);
  assert.equal(silent.requests.length, 2);
  silent.close();
  await assert.rejects(new Commonplace({ url: silent.url, token, retries: 1 }).stats(), Unreachable);
});

test("the feed goes on where it was interrupted", async () => {
  let breaking;
  const proxy = await serving(async (number, request, response) => {
    const headers = { authorization: request.headers.authorization };
    if (request.headers["last-event-id"]) headers["last-event-id"] = request.headers["last-event-id"];
    const upstream = new AbortController();
    const answer = await fetch(url + request.url, { headers, signal: upstream.signal });
    response.writeHead(answer.status, { "Content-Type": "text/event-stream" });
    const stop = () => (upstream.abort(), request.socket.destroy());
    if (number === 0) breaking = stop;
    request.socket.on("close", () => upstream.abort());
    try {
      for await (const part of answer.body) response.write(part);
    } catch {
      // stopped above
    }
  });
  const stop = new AbortController();
  let opened;
  const open = new Promise((resolve) => (opened = resolve));
  const far = new Commonplace({ url: proxy.url, token }).within("feed");
  const changes = [];
  const following = (async () => {
    for await (const change of far.feed.follow({ signal: stop.signal, onOpen: opened })) {
      if (change.noun !== "memory") continue;
      if (changes.push(change) === 2) stop.abort();
    }
  })().catch((error) => assert.equal(error.name, "AbortError"));
  await open;
  await new Promise((resolve) => setTimeout(resolve, 100)); // the first line has come through
  breaking();
  const here = book.within("feed");
  const first = await here.remember("During the interruption");
  while (changes.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await here.remember("After it");
  await following;
  assert.deepEqual(changes.map((change) => change.id), [first.id, second.id]);
  assert.deepEqual(Object.keys(changes[0]).sort(), ["at", "id", "namespace", "noun", "operation", "sequence"]);
  proxy.close();
});
