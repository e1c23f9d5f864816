import { useState } from "react";
import { call, Problem } from "../../api/client";
import { useResource } from "../../api/query";
import type { Diagnosis } from "../../api/types";
import { number } from "../../format";
import { t, word, type Key } from "../../i18n";
import { Badge, Card } from "../../parts/bits";
import { errorText } from "../../parts/errors";
import { Icon } from "../../parts/icons";
import { Show } from "../../parts/states";
import { Plain } from "../../text/Plain";

interface Readiness {
  status: string;
  checks: Record<string, { ok: boolean; problem: string | null }>;
}

/** A server that is not ready says so with 503 and the same document. */
const readiness = (signal: AbortSignal): Promise<Readiness> =>
  call<Readiness>("GET", "/readyz", { signal, bare: true }).catch((error: unknown) => {
    if (error instanceof Problem && "checks" in error.body) return error.body as unknown as Readiness;
    throw error;
  });

/** Whether the server can work, how many jobs there are, and a thorough check on demand. */
export function Health() {
  const ready = useResource("ready", readiness, ["job"]);
  const counts = useResource("jobs/counts", (signal) => call<Record<string, Record<string, number>>>("GET", "/v1/jobs/counts", { signal }), ["job", "memory"]);
  const [found, setFound] = useState<Diagnosis | string | null>(null);
  const [busy, setBusy] = useState(false);
  const check = async () => {
    setBusy(true);
    setFound(await call<Diagnosis>("GET", "/v1/doctor").catch(errorText));
    setBusy(false);
  };
  const totals: Record<string, number> = {};
  for (const states of Object.values(counts.data ?? {})) for (const [state, many] of Object.entries(states)) totals[state] = (totals[state] ?? 0) + many;
  return (
    <Card title={t("health.title")} action={<button type="button" disabled={busy} onClick={() => void check()}>{t("health.check")}</button>}>
      <Show of={ready} rows={1} height={44}>
        {({ checks }) => (
          <ul className="row health">
            {Object.entries(checks).map(([name, { ok, problem }]) => (
              <li key={name} className="row tight">
                <Badge tone={ok ? "good" : "bad"}><Icon name={ok ? "check" : "warn"} size={14} /> {t(`health.${name}` as Key)}</Badge>
                {problem && <span className="small"><Plain text={problem} /></span>}
              </li>
            ))}
            {Object.entries(totals).map(([state, many]) => <li key={state} className="muted small">{word("state", state)}: {number(many)}</li>)}
          </ul>
        )}
      </Show>
      {busy && <progress aria-label={t("health.check")} />}
      <div role="status">
        {typeof found === "string" && <p className="error-line">{found}</p>}
        {found && typeof found !== "string" && (
          <>
            <p>{t(found.sound ? "health.sound" : "health.unsound", { n: found.checks.length })}</p>
            <ul className="lines small">
              {found.symptoms.map((symptom, at) => <li key={at}><strong>{symptom.check}</strong> <Plain text={symptom.what} /> <span className="muted"><Plain text={symptom.remedy} /></span></li>)}
            </ul>
          </>
        )}
      </div>
    </Card>
  );
}
