// {OURS}; `commonplace uninit` removes it.
import { spawn } from "node:child_process";

const HOOK = {HOOK};
const TOOLS = {TOOLS};

function hook(event, payload) {
  return new Promise((resolve) => {
    const child = spawn(HOOK, [event], { cwd: payload.cwd, stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.on("error", () => resolve(""));
    child.on("close", () => {
      try {
        resolve(JSON.parse(output).hookSpecificOutput?.additionalContext ?? "");
      } catch {
        resolve("");
      }
    });
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

function memory(directory) {
  const pages = new Map();
  const call = (event, session, name, rest) =>
    hook(event, { host: "opencode", session_id: session, cwd: directory, hook_event_name: name, ...rest });
  return {
    has: (session) => pages.has(session),
    page: (session) => [pages.get(session)?.start, pages.get(session)?.recall].filter(Boolean),
    compacted: (session) => pages.delete(session),
    async prompt(session, prompt) {
      if (!pages.has(session)) {
        pages.set(session, { start: await call("session-start", session, "SessionStart", { source: "startup" }) });
      }
      pages.get(session).recall = await call("prompt", session, "UserPromptSubmit", { prompt });
    },
    async used(session, tool, input, stdout, exit_code) {
      if (!TOOLS.includes(tool)) return;
      const tool_input = { command: input.command, file_path: input.filePath ?? input.path };
      const tool_response = { stdout, exit_code };
      await call("tool", session, "PostToolUse", { tool_name: tool, tool_input, tool_response });
    },
    async answered(session, text) {
      if (text) await call("stop", session, "Stop", { last_assistant_message: text });
    },
  };
}

const texts = (parts) =>
  (parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n");

async function server({ directory, client }) {
  const book = memory(directory);
  const answer = async (session) => {
    const messages = (await client.session.messages({ path: { id: session } })).data ?? [];
    return texts(messages.filter((message) => message.info.role === "assistant").at(-1)?.parts);
  };
  return {
    "chat.message": ({ sessionID }, { parts }) => book.prompt(sessionID, texts(parts)),
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      output.system.push(...book.page(sessionID));
    },
    "tool.execute.after": ({ tool, sessionID, args = {} }, { output, metadata }) =>
      book.used(sessionID, tool, args, output, metadata?.exit),
    event: async ({ event }) => {
      const session = event.properties?.sessionID;
      if (event.type === "session.compacted") book.compacted(session);
      if (event.type !== "session.idle" || !book.has(session)) return;
      await book.answered(session, await answer(session).catch(() => ""));
    },
  };
}

async function setup(ctx) {
  const book = memory(ctx.location.directory);
  const answers = new Map();
  const stop = new AbortController();
  await ctx.session.hook("prompt", (event) => book.prompt(event.sessionID, event.prompt.text));
  await ctx.session.hook("context", (event) => {
    event.system.push(...book.page(event.sessionID).map((text) => ({ type: "text", text })));
  });
  await ctx.tool.hook("execute.after", ({ sessionID, tool, input, status, result, error }) => {
    const failed = status === "error";
    const content = result?.content;
    const output = failed ? error?.message : typeof content === "string" ? content : texts(content);
    return book.used(sessionID, tool, input ?? {}, output ?? "", failed ? 1 : result?.metadata?.exit);
  });
  const follow = async () => {
    for await (const { type, data } of ctx.event.subscribe({ signal: stop.signal })) {
      const session = data?.sessionID;
      if (!book.has(session)) continue; // of another project
      if (type === "session.text.ended") answers.set(session, data.text);
      if (type === "session.compaction.ended") book.compacted(session);
      if (type === "session.execution.succeeded") {
        await book.answered(session, answers.get(session));
        answers.delete(session);
      }
    }
  };
  follow().catch(() => {});
  return () => stop.abort();
}

export default { id: "commonplace", server, setup };
