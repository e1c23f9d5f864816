import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/query";
import type { Memory, Page, Receipt, Report } from "../../api/types";
import { number } from "../../format";
import { t, word } from "../../i18n";
import { Badge, Card, When } from "../../parts/bits";
import { complain, tell } from "../../parts/notices";
import { because } from "../../parts/reasons";
import { Show } from "../../parts/states";
import { href } from "../../router";
import { Plain } from "../../text/Plain";
import { cut } from "../../text/plain";
import { store, useStore } from "../../store";

type Verb = "prune" | "merge" | "decay";

/** Each tidying first says what it would do; what it did can be taken back. */
export function Tidy() {
  return (
    <div className="stack">
      {(["prune", "merge", "decay"] as const).map((verb) => (
        <One key={verb} verb={verb} />
      ))}
      <Log />
    </div>
  );
}

function One({ verb }: { verb: Verb }) {
  const [report, setReport] = useState<Report | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (dry: boolean) => {
    setBusy(true);
    try {
      setReport(await call<Report>("POST", `/v1/maintenance/${verb}`, { body: { dry_run: dry } }));
    } catch (error) {
      complain(error);
    }
    setBusy(false);
  };
  return (
    <Card title={t(`tidy.${verb}`)} action={<button type="button" disabled={busy} onClick={() => void run(true)}>{t("tidy.look")}</button>}>
      <p className="muted">{t(`tidy.${verb}_what`)}</p>
      {report && (
        <div className="receipt" role="status">
          <p>{report.dry_run ? t("tidy.would", { n: report.count }) : t("tidy.did", { n: report.count })}</p>
          <Found report={report} />
          <div className="form-foot">
            <button type="button" onClick={() => setReport(null)}>{t("close")}</button>
            {report.dry_run && report.count > 0 && <button type="button" className="primary" disabled={busy} onClick={() => void run(false)}>{t("tidy.do")}</button>}
            {!report.dry_run && report.receipt && <button type="button" onClick={() => undo(report.receipt!, () => setReport(null))}>{t("undo")}</button>}
          </div>
        </div>
      )}
    </Card>
  );
}

/** What was taken back while this page is open: its receipt stays, but there is nothing left to undo. */
const undone = store<readonly string[]>([]);

function undo(ref: string, after: () => void): void {
  call("POST", `/v1/receipts/${part(ref)}/undo`).then(() => {
    undone.set((old) => [...old, ref]);
    tell(t("undo.done"));
    after();
  }, complain);
}

const SHOWN = 20;

/** What a memory says, so that one sees what would go. */
function Said({ id }: { id: string }) {
  const memory = useResource(`memory/${id}`, (signal) => call<Memory>("GET", `/v1/memories/${part(id)}`, { signal }));
  return <a className="memory-text" href={href(["memories", id])}>{memory.data ? <Plain text={cut(memory.data.text, 160)} /> : <code>{id}</code>}</a>;
}

function Found({ report }: { report: Report }) {
  const shown = report.findings.slice(0, SHOWN);
  return (
    <>
      {Object.keys(report.counts).length > 1 && (
        <p className="row tight">
          {Object.entries(report.counts).map(([reason, many]) => (
            <Badge key={reason}>{because(reason)}: {number(many)}</Badge>
          ))}
        </p>
      )}
      <ul className="lines small">
        {shown.map((one) => (
          <li key={one.id} className="row between">
            {one.noun === "memory" ? <Said id={one.id} /> : <code>{one.id}</code>}
            <span className="muted">{because(one.reason)}</span>
          </li>
        ))}
        {report.count > shown.length && <li className="muted">{t("receipt.and_more", { n: number(report.count - shown.length) })}</li>}
      </ul>
      {report.notes.map((one) => (
        <p key={one} className="small muted">{one}</p>
      ))}
    </>
  );
}

/** An act in many transactions has a receipt over all, which names no change of its own; each part has one too. */
const whole = (one: Receipt): boolean => one.action === "MINE" || one.changes.length === 0;

function Log() {
  const log = useResource("receipts/tidy", (signal) => call<Page<Receipt>>("GET", "/v1/receipts", { query: { actions: ["PRUNE", "MERGE", "DECAY", "MINE"], limit: 60 }, signal }), ["memory"]);
  const back = useStore(undone);
  return (
    <Card title={t("tidy.log")}>
      <Show of={log} rows={2} height={40}>
        {({ items }) =>
          items.some(whole) ? (
            <ul className="lines">
              {items.filter(whole).map((one) => (
                <li key={one.ref} className="row between">
                  <span>{[word("action", one.action), one.ids.length ? t("things", { n: one.ids.length }) : ""].filter(Boolean).join(" · ")}</span>
                  <span className="row">
                    <span className="muted small"><When at={one.at} /></span>
                    {back.includes(one.ref) ? <Badge>{t("undo.was")}</Badge> : <button type="button" className="quiet" onClick={() => undo(one.ref, log.reload)}>{t("undo")}</button>}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">{t("tidy.log_none")}</p>
          )
        }
      </Show>
    </Card>
  );
}
