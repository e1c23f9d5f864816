import { useState } from "react";
import { call, part } from "../api/client";
import type { Receipt } from "../api/types";
import { moment, number } from "../format";
import { t, word } from "../i18n";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { Badge } from "./bits";
import { complain } from "./notices";
import { because } from "./reasons";

/** What a write or an erasure did, to read, keep and verify. `count` is how many things it removed, where it names none. */
export function ReceiptCard({ receipt, count }: { receipt: Receipt; count?: number }) {
  const [verified, setVerified] = useState<string | null>(null);
  const final = receipt.state === "scrubbed" || receipt.state === "scrub pending";
  const verify = () => {
    call<{ gone: boolean }>("POST", `/v1/receipts/${part(receipt.ref)}/verify`).then(
      (answer) => setVerified(answer.gone ? t("receipt.verified") : t("receipt.not_yet")),
      complain,
    );
  };
  return (
    <div className="receipt">
      <dl className="pairs">
        <div>
          <dt>{t("receipt.ref")}</dt>
          <dd><code>{receipt.ref}</code></dd>
        </div>
        <div>
          <dt>{t("receipt.did")}</dt>
          <dd>{word("action", receipt.action)}{(count ?? receipt.ids.length) > 0 && ` · ${t("things", { n: count ?? receipt.ids.length })}`}</dd>
        </div>
        <div>
          <dt>{t("receipt.at")}</dt>
          <dd>{moment(receipt.at)}</dd>
        </div>
        <div>
          <dt>{t("receipt.state")}</dt>
          <dd><Badge tone={receipt.state === "scrub pending" ? "status-candidate" : "accent"}>{word("state", receipt.state)}</Badge></dd>
        </div>
      </dl>
      {receipt.changes.length > 0 && receipt.action !== "ERASE" && (
        <ul className="lines small">
          {receipt.changes.slice(0, 50).map((one, at) => (
            <li key={at} className="row">
              <Badge>{word("action", one.action)}</Badge>
              <span className="grow">{one.statement ? <Plain text={cut(one.statement, 200)} /> : <code>{one.id}</code>}</span>
              <span className="muted">{because(one.reason)}</span>
            </li>
          ))}
          {receipt.changes.length > 50 && <li className="muted">{t("receipt.and_more", { n: number(receipt.changes.length - 50) })}</li>}
        </ul>
      )}
      {receipt.notes.map((one) => (
        <p key={one} className="small muted">{one}</p>
      ))}
      <div className="row">
        {final && <button type="button" onClick={verify}>{t("receipt.verify")}</button>}
        <span role="status">{verified}</span>
      </div>
    </div>
  );
}
