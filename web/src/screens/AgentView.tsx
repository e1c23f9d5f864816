import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, part } from "../api/client";
import type { Hit, Memory } from "../api/types";
import { number } from "../format";
import { t, word } from "../i18n";
import { Card, Field, Screen } from "../parts/bits";
import { Copy } from "../parts/Copy";
import { useDelayed } from "../parts/delay";
import { MemoryLink } from "../parts/memory";
import { Empty, Failed, Skeleton } from "../parts/states";
import { namespace } from "../session";
import { useStore } from "../store";

interface ContextPage {
  text: string;
  tokens: number;
  memories: string[];
}

/** Agents whose hooks add memory by themselves: at the start of a session, and with each prompt. */
const HOOK_HOSTS = [
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["cursor", "Cursor"],
  ["gemini", "Gemini CLI"],
  ["vscode", "VS Code"],
  ["opencode", "OpenCode"],
] as const;
/** What hooks ask for at the start of a session. */
const START = { query: null, tokens: 600, limit: 1 };

/** Both pages of a session with hooks: the start, and what this prompt adds to it. */
async function hookPages(query: string, signal: AbortSignal): Promise<ContextPage> {
  const start = await call<ContextPage>("POST", "/v1/context", { body: START, signal });
  if (!query) return start;
  const prompt = await call<ContextPage>("POST", "/v1/context/prompt", { body: { query, skip: start.memories }, signal });
  return { text: [start.text, prompt.text].filter(Boolean).join("\n\n"), tokens: start.tokens + prompt.tokens, memories: [...start.memories, ...prompt.memories] };
}

interface Line {
  memory: Memory;
  why: Hit["why"];
}

/** One token is about four bytes, as the server counts. */
const tokensOf = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / 4);
/** Reasons are read for so many memories. */
const LISTED = 60;
const BUDGETS = [500, 1000, 2000, 4000, 8000];

/** What an agent would read for a prompt: the exact page, how long each part is, and why each memory is in it. */
export function AgentView() {
  const space = useStore(namespace);
  const [prompt, setPrompt] = useState("");
  const [tokens, setTokens] = useState(2000);
  const [guidance, setGuidance] = useState(false);
  const [host, setHost] = useState("context");
  const hooks = HOOK_HOSTS.some(([name]) => name === host);
  const query = useDelayed(prompt.trim(), 250);
  const page = useQuery({
    queryKey: [space, "agent", query, tokens, guidance, hooks],
    queryFn: async ({ signal }) => {
      const context = hooks ? await hookPages(query, signal) : await call<ContextPage>("POST", "/v1/context", { body: { query: query || null, tokens, guidance }, signal });
      const hits = query ? (await call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query, limit: 50, explain: true }, signal })).items : [];
      const reasons = new Map(hits.map((hit) => [hit.memory.id, hit]));
      const lines = await Promise.all(
        context.memories.slice(0, LISTED).map(async (id): Promise<Line | null> => {
          const hit = reasons.get(id);
          if (hit) return { memory: hit.memory, why: hit.why };
          return call<Memory>("GET", `/v1/memories/${part(id)}`, { signal }).then((memory) => ({ memory, why: null }), () => null); // a relation, or of another namespace
        }),
      );
      return { ...context, lines: lines.filter((line): line is Line => line !== null) };
    },
    placeholderData: (before) => before,
    meta: { nouns: ["memory"] },
  });
  return (
    <Screen title={t("nav.agent")} lead={t("agent.lead")}>
      <Card>
        <Field label={t("agent.prompt")}>
          {(id) => <textarea id={id} value={prompt} placeholder={t("agent.example")} onChange={(event) => setPrompt(event.target.value)} />}
        </Field>
        <div className="row">
          <label className="row tight">
            <span className="muted small">{t("agent.host")}</span>
            <select value={host} onChange={(event) => setHost(event.target.value)}>
              <option value="context">{t("agent.host_context")}</option>
              {HOOK_HOSTS.map(([name, label]) => <option key={name} value={name}>{label}</option>)}
            </select>
          </label>
          {!hooks && <>
          <label className="row tight">
            <span className="muted small">{t("agent.budget")}</span>
            <select value={tokens} onChange={(event) => setTokens(Number(event.target.value))}>
              {BUDGETS.map((budget) => (
                <option key={budget} value={budget}>{number(budget)}</option>
              ))}
            </select>
          </label>
          <label className="row tight">
            <input type="checkbox" checked={guidance} onChange={(event) => setGuidance(event.target.checked)} />
            {t("agent.guidance")}
          </label>
          </>}
        </div>
        {hooks && <p className="small muted">{t("agent.hooks")}</p>}
      </Card>
      {page.error ? (
        <Failed error={page.error} retry={() => void page.refetch()} />
      ) : !page.data ? (
        <Skeleton rows={2} height={200} />
      ) : !page.data.text.trim() ? (
        <Empty icon="spark" title={t("agent.nothing")}>{t("agent.nothing_how")}</Empty>
      ) : (
        <div className="agent-grid">
          <Card title={hooks ? t("agent.hook_page", { n: page.data.tokens }) : t("agent.page", { n: page.data.tokens, budget: number(tokens) })}>
            <PartSizes text={page.data.text} />
            <Copy text={page.data.text} />
          </Card>
          <Card title={t("agent.why", { n: page.data.lines.length + beyond(page.data) })}>
            <ul className="lines">
              {page.data.lines.map(({ memory, why }) => (
                <li key={memory.id} className="stack tight">
                  <MemoryLink memory={memory} words={why?.terms ?? []} />
                  <p className="small muted">{reason(memory, why)}</p>
                </li>
              ))}
              {beyond(page.data) > 0 && <li className="muted">{t("receipt.and_more", { n: beyond(page.data) })}</li>}
            </ul>
          </Card>
        </div>
      )}
    </Screen>
  );
}

/** How many memories are on the page and not in the list of reasons. */
const beyond = ({ memories }: ContextPage): number => Math.max(0, memories.length - LISTED);

function reason(memory: Memory, why: Hit["why"]): string {
  if (memory.kind === "core") return t("agent.core");
  if (memory.pinned) return t("agent.pinned");
  if (why) return t("why.lists", { lists: Object.keys(why.lists).map((name) => word("part", name)).join(", ") });
  return t("agent.profile");
}

/** The sections of the page by their headings, and how many tokens each takes. */
function PartSizes({ text }: { text: string }) {
  const parts: { name: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading || !parts.length) parts.push({ name: heading ?? t("agent.start"), lines: [] });
    parts.at(-1)!.lines.push(line);
  }
  return (
    <ul className="row small">
      {parts.map(({ name, lines }, at) => (
        <li key={at} className="chip">{name} <span className="muted">{t("agent.tokens", { n: tokensOf(lines.join("\n")) })}</span></li>
      ))}
    </ul>
  );
}
