import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client";
import type { AuditLine, Me, Page, Token } from "../api/types";
import { t } from "../i18n";
import { Actor } from "../parts/Actor";
import { When } from "../parts/bits";
import { Copy } from "../parts/Copy";
import { Dialog } from "../parts/dialog";
import { HOSTS } from "../parts/hosts";
import { Icon } from "../parts/icons";
import { namespace } from "../session";
import { useStore } from "../store";

const MCP = JSON.stringify({ mcpServers: { commonplace: { command: "commonplace", args: ["mcp"] } } }, null, 2);

/** The exact command for each agent, and a note when the first call arrives. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const [host, setHost] = useState<string>(HOSTS[0][0]);
  return (
    <Dialog title={t("start.connect")} onClose={onClose} wide>
      <div className="stack">
        <div className="row tight" role="group" aria-label={t("connect.agent")}>
          {[...HOSTS, ["mcp", t("connect.other")] as const].map(([id, name]) => (
            <button key={id} type="button" className="chip" aria-pressed={host === id} onClick={() => setHost(id)}>{name}</button>
          ))}
        </div>
        {host === "mcp" ? (
          <>
            <p>{t("connect.mcp")}</p>
            <Copy text={MCP} />
          </>
        ) : (
          <>
            <p>{t("connect.run")}</p>
            <Copy text={`commonplace init --host ${host}`} />
            <p className="muted small">{t("connect.what")}</p>
            <p className="muted small">{t("connect.path")}</p>
          </>
        )}
        <FirstCall />
      </div>
    </Dialog>
  );
}

/** How often to look for the first call while the dialog is open. */
const LOOK_MS = 3000;

/**
 * The newest call of an agent, reading or writing; it appears by itself as soon as it arrives. What an agent on this
 * machine does is in the audit; one on the network is seen by its token.
 */
async function newestCall(signal: AbortSignal): Promise<{ actor: string; at: string } | null> {
  const me = await call<Me>("GET", "/v1/me", { signal });
  const audit = await call<Page<AuditLine>>("GET", "/v1/audit", { query: { newest: true, limit: 100 }, signal });
  const tokens = me.scopes.includes("admin") ? (await call<Page<Token>>("GET", "/v1/tokens", { signal, bare: true })).items : [];
  const used = tokens.filter((token) => token.last_used_at && !token.person && !token.session && !token.link);
  const calls = [...audit.items.filter(({ actor }) => /^(mcp|hook|rest)\b/.test(actor)), ...used.map(({ id, last_used_at }) => ({ actor: `mcp:${id}`, at: last_used_at! }))];
  return calls.sort((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
}

function FirstCall() {
  const space = useStore(namespace);
  const newest = useQuery({ queryKey: [space, "audit/agents"], queryFn: ({ signal }) => newestCall(signal), refetchInterval: LOOK_MS });
  const line = newest.data;
  return (
    <p className="first-call" role="status">
      <Icon name={line ? "check" : "clock"} size={18} />
      {line ? <span>{t("connect.arrived")} <Actor actor={line.actor} />, <When at={line.at} /></span> : t("connect.waiting")}
    </p>
  );
}
