// {OURS}; `commonplace uninit` removes it.
import { spawn } from "node:child_process";

const HOOK = {HOOK};

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

export const Commonplace = async ({ directory, client }) => {
  const pages = new Map();
  const payload = (session, name, rest) =>
    ({ host: "opencode", session_id: session, cwd: directory, hook_event_name: name, ...rest });
  const answer = async (session) => {
    const messages = (await client.session.messages({ path: { id: session } })).data ?? [];
    const last = messages.filter((message) => message.info.role === "assistant").at(-1);
    const texts = (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text);
    return texts.join("\n");
  };
  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      const prompt = parts.filter((part) => part.type === "text").map((part) => part.text).join("\n");
      if (!pages.has(sessionID)) {
        const opened = payload(sessionID, "SessionStart", { source: "startup" });
        pages.set(sessionID, { start: await hook("session-start", opened) });
      }
      pages.get(sessionID).recall = await hook("prompt", payload(sessionID, "UserPromptSubmit", { prompt }));
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const page = pages.get(sessionID) ?? {};
      output.system.push(...[page.start, page.recall].filter(Boolean));
    },
{TOOLS}
    "tool.execute.after": async ({ tool, sessionID, args = {} }, { output, metadata }) => {
      if (!["bash", "edit", "write", "patch"].includes(tool)) return;
      const input = { command: args.command, file_path: args.filePath };
      const response = { stdout: output, exit_code: metadata?.exit };
      const used = { tool_name: tool, tool_input: input, tool_response: response };
      await hook("tool", payload(sessionID, "PostToolUse", used));
    },
{END_TOOLS}
    event: async ({ event }) => {
      const session = event.properties?.sessionID;
      if (event.type === "session.compacted") pages.delete(session);
      if (event.type !== "session.idle" || !pages.has(session)) return;
      const text = await answer(session).catch(() => "");
      if (text) await hook("stop", payload(session, "Stop", { last_assistant_message: text }));
    },
  };
};
