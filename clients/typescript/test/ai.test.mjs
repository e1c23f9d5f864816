// The Vercel AI SDK itself, with its own mock model, against a running server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { generateText, isStepCount, simulateReadableStream, streamText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Commonplace, Unreachable } from "commonplace-memory";
import { memoryMiddleware, memoryTools } from "commonplace-memory/ai";

const { COMMONPLACE_URL: url, COMMONPLACE_TOKEN: token } = process.env;
const book = new Commonplace({ url, token });
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const stop = { unified: "stop", raw: undefined };
const says = (text) => ({ content: [{ type: "text", text }], finishReason: stop, usage, warnings: [] });
const calls = (...wanted) => ({
  content: wanted.map(([toolName, input], number) => ({
    type: "tool-call",
    toolCallId: `call-${number}`,
    toolName,
    input: JSON.stringify(input),
  })),
  finishReason: { unified: "tool-calls", raw: undefined },
  usage,
  warnings: [],
});
const textOf = (message) => message.content.map((part) => part.text ?? "").join("\n");
const episodes = async (here) =>
  (await here.browse({ kinds: ["episodic"], sort: "oldest" })).map((memory) => memory.text);

test("a model is told what is known, and its turn is learned from", async () => {
  const here = book.within("ai-generate");
  await here.remember("Ada prefers <b>trains</b> to planes");
  const mock = new MockLanguageModelV4({ doGenerate: says("By train.") });
  const model = wrapLanguageModel({ model: mock, middleware: memoryMiddleware(book) });
  const commonplace = { session: "monday", namespace: "ai-generate" };
  const { text } = await generateText({
    model,
    system: "You plan journeys.",
    prompt: "I moved to Oslo. How should Ada travel, by train?",
    providerOptions: { commonplace },
  });
  assert.equal(text, "By train.");
  const { prompt } = mock.doGenerateCalls[0];
  assert.deepEqual(prompt[0], { role: "system", content: "You plan journeys." });
  assert.match(textOf(prompt[1]), /^<memory_context>[^]*trains[^]*<\/memory_context>\s*I moved to Oslo/);
  assert.ok(!textOf(prompt[1]).includes("<b>"));
  assert.deepEqual(await episodes(here), ["I moved to Oslo. How should Ada travel, by train?", "By train."]);
  assert.deepEqual((await here.sessions.list()).map((session) => session.name), ["monday"]);
});

test("a streamed answer is learned from when it is complete", async () => {
  const here = book.within("ai-stream");
  await here.remember("Ada prefers trains");
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    ...["By ", "train."].map((delta) => ({ type: "text-delta", id: "0", delta })),
    { type: "text-end", id: "0" },
    { type: "finish", finishReason: stop, usage },
  ];
  const streaming = (chunks) =>
    wrapLanguageModel({
      model: new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks }) } }),
      middleware: memoryMiddleware(here, { session: "monday" }),
    });
  const result = streamText({ model: streaming(parts), prompt: "How should Ada travel?" });
  assert.equal(await result.text, "By train.");
  assert.deepEqual(await episodes(here), ["How should Ada travel?", "By train."]);
  await streamText({ model: streaming(parts.slice(0, -2)), prompt: "And back?", onError: () => undefined }).consumeStream();
  assert.equal((await episodes(here)).length, 2, "half an answer");
});

test("tools recall, save and correct as an agent, and a turn of several steps is one turn", async () => {
  const here = book.within("ai-tools");
  await here.remember("Ada prefers trains to planes");
  const steps = [
    calls(["memory_recall", { query: "how does Ada travel?" }], ["memory_memorize", { text: "Ada has a rail pass" }]),
    calls(["memory_revise", { memory: "Ada prefers trains to planes", text: "Ada prefers planes" }]),
    calls(["memory_memorize", { text: " " }], ["memory_recall", { query: "quantum chromodynamics" }]),
    says("Noted."),
  ];
  const mock = new MockLanguageModelV4({ doGenerate: steps });
  const { steps: done } = await generateText({
    model: wrapLanguageModel({ model: mock, middleware: memoryMiddleware(here) }),
    tools: memoryTools(here),
    stopWhen: isStepCount(5),
    prompt: "Please note that Ada has a rail pass.",
  });
  const results = done.flatMap((step) => step.toolResults.map((result) => result.output));
  assert.match(results[0], /<memory_context>[^]*trains/);
  assert.equal(results[1], "Stored as a candidate.");
  assert.match(results[2], /^Proposed/);
  assert.match(results[3], /^Not stored: /);
  const [saved] = await here.recall("rail pass", { kinds: ["associative"] });
  assert.equal(saved.memory.status, "candidate");
  assert.equal((await here.recall("trains or planes", { kinds: ["associative"] }))[0].memory.text, "Ada prefers trains to planes");
  assert.deepEqual(await episodes(here), ["Please note that Ada has a rail pass.", "Noted."]);
});

test("without the book a call fails, unless the application goes on without", async () => {
  const gone = new Commonplace({ url: "http://127.0.0.1:9", token, retries: 0 });
  const wrapped = (options) =>
    wrapLanguageModel({
      model: new MockLanguageModelV4({ doGenerate: says("Hello.") }),
      middleware: memoryMiddleware(gone, options),
    });
  await assert.rejects(generateText({ model: wrapped(), prompt: "Hello", maxRetries: 0 }), Unreachable);
  const errors = [];
  const { text } = await generateText({ model: wrapped({ onError: (error) => errors.push(error) }), prompt: "Hello" });
  assert.equal(text, "Hello.");
  assert.deepEqual(errors.map((error) => error.name), ["Unreachable", "Unreachable"]);
});
