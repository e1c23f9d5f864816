/** Commonplace for the Vercel AI SDK: tools for the model, and middleware that adds context and learns from turns. */

import { jsonSchema, tool, type LanguageModelMiddleware } from "ai";

import type { Commonplace, Message } from "./client.js";
import { CommonplaceError } from "./errors.js";

type Model = NonNullable<LanguageModelMiddleware["wrapGenerate"]> extends (options: infer Options) => infer Result
  ? { params: Options extends { params: infer Params } ? Params : never; result: Awaited<Result> }
  : never;
type Params = Model["params"];
type Prompt = Params["prompt"];

export interface ToolOptions {
  /** The longest page that `memory_recall` gives; default 1500 tokens. */
  tokens?: number;
}

/** Tools to recall, save and correct. What a model saves is a candidate until a person confirms it. */
export function memoryTools(book: Commonplace, { tokens = 1500 }: ToolOptions = {}) {
  const agent = book.actingAs("assistant");
  return {
    memory_recall: tool({
      description:
        "Search what was learned in earlier conversations. Nothing found means nothing is known: do not guess.",
      inputSchema: schema<{ query: string }>({ query: "A question in full words." }),
      execute: async ({ query }, { abortSignal }) => {
        const page = await agent.page(query, { tokens }, signalOf(abortSignal));
        return page.memories.length > 0 ? page.text : "Nothing is known about that.";
      },
    }),
    memory_memorize: tool({
      description:
        "Save one lasting thing as a self-contained sentence with full names and dates. No secrets, no guesses.",
      inputSchema: schema<{ text: string }>({ text: "One sentence that is clear without this conversation." }),
      execute: ({ text }, { abortSignal }) =>
        answered("Not stored", async () => {
          const { action } = await agent.remember(text, {}, signalOf(abortSignal));
          return action === "ADD" ? "Stored as a candidate." : action === "NOOP" ? "Already known." : WAITING;
        }),
    }),
    memory_revise: tool({
      description: "Correct a memory that is wrong or out of date. A person may have to confirm it.",
      inputSchema: schema<{ memory: string; text: string }>({
        memory: "The memory to correct, in the words in which it was recalled.",
        text: "The sentence as it should be.",
      }),
      execute: ({ memory, text }, { abortSignal }) =>
        answered("Not changed", async () => {
          const result = await agent.reviseByDescription(memory, { text }, signalOf(abortSignal));
          if ("targets" in result) return "Not changed: it is not certain which memory is meant.";
          return result.changes.some((change) => change.action === "UPDATE") ? "Corrected." : WAITING;
        }),
    }),
  };
}

const WAITING = "Proposed: a person will decide.";

export interface MiddlewareOptions {
  /** The longest page for one call; default 2000 tokens. */
  tokens?: number;
  /** The most memories on it. */
  limit?: number;
  /** The conversation; default: `providerOptions.commonplace.session` of each call. */
  session?: string;
  /** Whether to learn from the last message and its answer; default true. */
  observe?: boolean;
  /** Called when the book cannot be read or written; default: the call fails. Return to go on without memory. */
  onError?: (error: unknown) => void;
}

/**
 * Middleware for `wrapLanguageModel`. A page of what is known goes before the last message of the user; the message
 * and the model's final answer are observed. Nothing of tools and of the system prompt is stored.
 *
 * `providerOptions: { commonplace: { session, namespace } }` of a call chooses its conversation and namespace.
 */
export function memoryMiddleware(book: Commonplace, options: MiddlewareOptions = {}): LanguageModelMiddleware {
  const fail = (error: unknown): void => {
    if (options.onError === undefined) throw error;
    options.onError(error);
  };
  const placed = (params: Params) => {
    const own = params.providerOptions?.["commonplace"] ?? {};
    const session = options.session ?? (typeof own["session"] === "string" ? own["session"] : undefined);
    const here = typeof own["namespace"] === "string" ? book.within(own["namespace"]) : book;
    return { here, session: session === undefined ? {} : { session } };
  };
  const learn = async (params: Params, answer: string, finish: string | undefined): Promise<void> => {
    // A call of tools is not the end of the turn: the same message comes again with their results.
    if (options.observe === false || finish === "tool-calls") return;
    const { here, session } = placed(params);
    const turns: Message[] = [];
    const question = lastOfUser(params.prompt);
    if (question !== undefined) turns.push({ role: "user", text: question.text });
    if (answer.trim() !== "") turns.push({ role: "assistant", text: answer });
    if (turns.length === 0) return;
    try {
      await here.observe(turns, session);
    } catch (error) {
      // empty or private messages are nothing to keep
      if (!(error instanceof CommonplaceError && error.name === "Refused")) fail(error);
    }
  };
  return {
    specificationVersion: "v4",
    transformParams: async ({ params }) => {
      const { here, session } = placed(params);
      const question = lastOfUser(params.prompt);
      const { tokens = 2000, limit } = options;
      try {
        const fields = { tokens, ...(limit === undefined ? {} : { limit }), ...session };
        const page = await here.page(question?.text, fields, signalOf(params.abortSignal));
        return page.memories.length === 0 ? params : { ...params, prompt: withPage(params.prompt, page.text) };
      } catch (error) {
        params.abortSignal?.throwIfAborted();
        fail(error);
        return params;
      }
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const texts = result.content.map((part) => (part.type === "text" ? part.text : ""));
      await learn(params, texts.join(""), result.finishReason.unified);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...result } = await doStream();
      let answer = "";
      let finish: string | undefined;
      const watch = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === "text-delta") answer += part.delta;
          if (part.type === "finish") finish = part.finishReason.unified;
          controller.enqueue(part);
        },
        // A stream without its end was broken off: nothing is learned from half an answer.
        flush: async () => (finish === undefined ? undefined : learn(params, answer, finish)),
      });
      return { ...result, stream: stream.pipeThrough(watch) };
    },
  };
}

type StreamPart =
  NonNullable<LanguageModelMiddleware["wrapStream"]> extends (options: never) => PromiseLike<infer Result>
    ? Result extends { stream: ReadableStream<infer Part> }
      ? Part
      : never
    : never;

/** The user's last message, its words without a page of ours. */
function lastOfUser(prompt: Prompt): { index: number; text: string } | undefined {
  const index = prompt.findLastIndex((message) => message.role === "user");
  const message = prompt[index];
  if (message?.role !== "user") return undefined;
  const texts = message.content.flatMap((part) => (part.type === "text" && !isPage(part.text) ? [part.text] : []));
  const text = texts.join("\n");
  return text.trim() === "" ? undefined : { index, text };
}

/** The prompt with a page of memories in front of the user's last message; other messages stay as they are. */
function withPage(prompt: Prompt, page: string): Prompt {
  const index = prompt.findLastIndex((message) => message.role === "user");
  const message = prompt[index];
  if (message?.role !== "user") return [{ role: "system", content: page }, ...prompt];
  const changed = { ...message, content: [{ type: "text" as const, text: page }, ...message.content] };
  return prompt.with(index, changed);
}

function isPage(text: string): boolean {
  return text.trimStart().startsWith("<memory_context>");
}

function schema<Input extends Record<string, string>>(fields: { [Name in keyof Input]: string }) {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: "string" as const, description }]),
  );
  return jsonSchema<Input>({
    type: "object",
    properties,
    required: Object.keys(fields),
    additionalProperties: false,
  });
}

/** A refusal is an answer that the model should read; everything else is an error of the call. */
async function answered(prefix: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommonplaceError && error.status < 500) return `${prefix}: ${error.detail}`;
    throw error;
  }
}

function signalOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
