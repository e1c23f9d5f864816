import { useState } from "react";
import { call } from "../../api/client";
import { usePages } from "../../api/query";
import type { AuditLine, Page } from "../../api/types";
import { moment, number } from "../../format";
import { t, word } from "../../i18n";
import { Actor } from "../../parts/Actor";
import { Card } from "../../parts/bits";
import { complain } from "../../parts/notices";
import { because } from "../../parts/reasons";
import { Empty, Failed, Skeleton } from "../../parts/states";
import { href } from "../../router";
import { Plain } from "../../text/Plain";
import { cut, isId } from "../../text/plain";

interface Verdict {
  ok: boolean;
  lines: number;
  problem: string | null;
}

/** Who did what, in a chain that shows if a line was changed or taken out. */
export function Audit() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const verify = () => {
    call<Verdict>("POST", "/v1/audit/verify").then(setVerdict, complain);
  };
  return (
    <Card title={t("audit.title")} action={<button type="button" onClick={verify}>{t("audit.verify")}</button>}>
      <p role="status" className={verdict && !verdict.ok ? "error-line" : undefined}>
        {verdict ? (verdict.ok ? t("audit.sound", { n: verdict.lines }) : `${t("audit.broken")} ${verdict.problem ?? ""}`) : t("audit.what")}
      </p>
      <AuditLines />
    </Card>
  );
}

/** The lines of the current namespace's owner, or of a shared namespace, newest first. */
export function AuditLines({ namespace }: { namespace?: string }) {
  const pages = usePages(`audit/${namespace ?? ""}`, (cursor, signal) => call<Page<AuditLine>>("GET", "/v1/audit", { query: { newest: true, cursor, limit: 100, ...(namespace ? { namespace } : {}) }, signal }));
  return (
    <>
      {pages.error && !pages.items.length ? (
        <Failed error={pages.error} retry={pages.reload} />
      ) : !pages.items.length && pages.loading ? (
        <Skeleton rows={6} height={40} />
      ) : !pages.items.length ? (
        <Empty icon="review" title={t("audit.none")} />
      ) : (
        <>
          <div className="scroll-x" tabIndex={0} role="region" aria-label={t("text.table")}>
            <table className="cards-narrow">
              <thead>
                <tr>
                  <th scope="col" className="end">{t("audit.line")}</th>
                  <th scope="col">{t("receipt.at")}</th>
                  <th scope="col">{t("audit.actor")}</th>
                  <th scope="col">{t("receipt.did")}</th>
                  <th scope="col">{t("audit.target")}</th>
                  <th scope="col">{t("reason")}</th>
                </tr>
              </thead>
              <tbody>
                {pages.items.map((one) => (
                  <tr key={one.sequence}>
                    <td data-label={t("audit.line")} className="number end">{number(one.sequence)}</td>
                    <td data-label={t("receipt.at")} className="muted small number">{moment(one.at)}</td>
                    <td data-label={t("audit.actor")}><Actor actor={one.actor} /></td>
                    <td data-label={t("receipt.did")}>{word("action", one.action)}</td>
                    <td data-label={t("audit.target")} className="small"><Target line={one} /></td>
                    <td data-label={t("reason")} className="small">{one.reason ? <Plain text={cut(because(one.reason), 200)} /> : "–"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {!pages.complete && <button type="button" onClick={pages.more} disabled={pages.loading}>{t("more")}</button>}
        </>
      )}
    </>
  );
}

/** Screens that show what a line is about. */
const SHOWN_AT: Record<string, string> = { memory: "memories", directive: "directives" };

/** An id is for programs: a person gets a link, and the end of the id to tell two lines apart. */
function Target({ line: { noun, target } }: { line: AuditLine }) {
  const screen = SHOWN_AT[noun];
  const what = <><span className="noun">{word("noun", noun)}</span> <code title={target}>{isId(target) ? `…${target.slice(-6)}` : cut(target, 60)}</code></>;
  return screen ? <a href={href([screen, target])}>{what}</a> : what;
}
