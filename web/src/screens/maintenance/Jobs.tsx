import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/query";
import type { Job, Page } from "../../api/types";
import { number } from "../../format";
import { t, word } from "../../i18n";
import { Badge, Card, Segments, When } from "../../parts/bits";
import { complain, tell } from "../../parts/notices";
import { Empty, Show } from "../../parts/states";
import { Plain } from "../../text/Plain";
import { cut } from "../../text/plain";
import { Health } from "./Health";

const STATES = ["", "waiting", "leased", "done", "dead"] as const;

/** Background work; what could not be done waits in the dead letter until somebody tries it again. */
export function Jobs() {
  const [state, setState] = useState<(typeof STATES)[number]>("");
  const jobs = useResource(`jobs/${state}`, (signal) => call<Page<Job>>("GET", "/v1/jobs", { query: { state, newest: true, limit: 100 }, signal }), ["job", "memory"]);
  const retry = async (job: Job) => {
    const page = jobs.data!;
    jobs.set({ ...page, items: page.items.map((one) => (one.id === job.id ? { ...one, state: "waiting" } : one)) });
    try {
      await call("POST", `/v1/jobs/${part(job.id)}/retry`);
      tell(t("jobs.retried"));
      jobs.reload();
    } catch (error) {
      jobs.set(page);
      complain(error);
    }
  };
  return (
    <>
    <Health />
    <Card
      title={t("jobs.title")}
      action={<Segments label="" value={state} onChange={setState} options={STATES.map((value) => ({ value, label: value ? word("state", value) : t("jobs.all") }))} />}
    >
      <Show of={jobs} rows={5} height={44}>
        {({ items }) =>
          items.length ? (
            <div className="scroll-x" tabIndex={0} role="region" aria-label={t("text.table")}>
              <table className="cards-narrow">
                <thead>
                  <tr>
                    <th scope="col">{t("jobs.kind")}</th>
                    <th scope="col">{t("receipt.state")}</th>
                    <th scope="col" className="end">{t("jobs.attempts")}</th>
                    <th scope="col">{t("jobs.when")}</th>
                    <th scope="col">{t("jobs.error")}</th>
                    <th scope="col"><span className="visually-hidden">{t("actions")}</span></th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((one) => {
                    const at = one.finished_at ?? one.due_at;
                    return (
                      <tr key={one.id}>
                        <td data-label={t("jobs.kind")}>{word("job", one.kind)}</td>
                        <td data-label={t("receipt.state")}><Badge tone={`status-${one.state}`}>{word("state", one.state)}</Badge></td>
                        <td data-label={t("jobs.attempts")} className="number end">{number(one.attempts)}</td>
                        <td data-label={t("jobs.when")} className="muted small"><When at={at} /></td>
                        <td data-label={t("jobs.error")} className="small">{one.error ? <Plain text={cut(one.error, 300)} /> : "–"}</td>
                        <td className="end">{one.state === "dead" && <button type="button" onClick={() => void retry(one)}>{t("retry")}</button>}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
          ) : (
            <Empty icon="check" title={t("jobs.none")} />
          )
        }
      </Show>
    </Card>
    </>
  );
}
