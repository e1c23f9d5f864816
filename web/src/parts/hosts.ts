import { isKey, t } from "../i18n";

/** Agents that `commonplace init` sets up, by the name it knows them by and the name that people know. */
export const HOSTS = [
  ["claude-code", "Claude Code"],
  ["codex", "Codex"],
  ["cursor", "Cursor"],
  ["gemini", "Gemini CLI"],
  ["vscode", "VS Code"],
  ["opencode", "OpenCode"],
  ["windsurf", "Windsurf"],
  ["cline", "Cline"],
  ["zed", "Zed"],
  ["claude-desktop", "Claude Desktop"],
] as const;

const NAMES = new Map<string, string>(HOSTS);

/** The name of an agent as people know it; of one that is not known, as it calls itself. */
export function agentName(agent: string): string {
  const key = `actor.${agent}`;
  return NAMES.get(agent.toLowerCase()) ?? (isKey(key) ? t(key) : agent);
}
