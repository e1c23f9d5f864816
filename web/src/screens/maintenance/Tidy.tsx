import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/resource";
import type { Page, Receipt, Report } from "../../api/types";
import { number } from "../../format";
import { t, tn, word } from "../../i18n";
import { Badge, Card, When } from "../../parts/bits";
import { complain, tell } from "../../parts/notices";
import { Show } from "../../parts/states";
import { href } from "../../router";

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
          <p>{report.dry_run ? tn("tidy.would", report.count) : tn("tidy.did", report.count)}</p>
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

function undo(ref: string, after: () => void): void {
  call("POST", `/v1/receipts/${part(ref)}/undo`).then(() => {
    tell(t("undo.done"));
    after();
  }, complain);
}

function Found({ report }: { report: Report }) {
  const shown = report.findings.slice(0, 50);
  return (
    <>
      {Object.keys(report.counts).length > 1 && (
        <p className="row tight">
          {Object.entries(report.counts).map(([reason, many]) => (
            <Badge key={reason}>{reason}: {number(many)}</Badge>
          ))}
        </p>
      )}
      <ul className="lines small">
        {shown.map((one) => (
          <li key={one.id} className="row between">
            {one.noun === "memory" ? <a href={href(["memories", one.id])}><code>{one.id}</code></a> : <code>{one.id}</code>}
            <span className="muted">{one.reason}</span>
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

function Log() {
  const log = useResource("receipts/tidy", (signal) => call<Page<Receipt>>("GET", "/v1/receipts", { query: { actions: ["PRUNE", "MERGE", "DECAY", "MINE"], limit: 20 }, signal }), ["memory"]);
  return (
    <Card title={t("tidy.log")}>
      <Show of={log} rows={2} height={40}>
        {({ items }) =>
          items.length ? (
            <ul className="lines">
              {items.map((one) => (
                <li key={one.ref} className="row between">
                  <span>{word("action", one.action)} · {tn("things", one.ids.length || one.changes.length)}</span>
                  <span className="row">
                    <span className="muted small"><When at={one.at} /></span>
                    <button type="button" className="quiet" onClick={() => undo(one.ref, log.reload)}>{t("undo")}</button>
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
