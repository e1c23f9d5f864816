import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/resource";
import type { Page, Receipt } from "../../api/types";
import { t, tn, word } from "../../i18n";
import { Card, When } from "../../parts/bits";
import { complain, tell } from "../../parts/notices";
import { ReceiptCard } from "../../parts/Receipt";
import { Show } from "../../parts/states";

type Verb = "prune" | "merge" | "decay" | "mine";

/** Each tidying first says what it would do; what it did can be taken back. */
export function Tidy() {
  return (
    <div className="stack">
      {(["prune", "merge", "decay", "mine"] as const).map((verb) => (
        <One key={verb} verb={verb} />
      ))}
      <Log />
    </div>
  );
}

/** A report may come alone or with others; both read the same here. */
function asReceipt(answer: Partial<Receipt> & { receipt?: Receipt }): Receipt {
  const given = answer.receipt ?? answer;
  return { ref: "", id: null, ids: [], action: "", at: new Date().toISOString(), actor: "", changes: [], state: "done", notes: [], ...given } as Receipt;
}

function One({ verb }: { verb: Verb }) {
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (dry: boolean) => {
    setBusy(true);
    try {
      setReceipt(asReceipt(await call("POST", `/v1/maintenance/${verb}`, { body: { dry_run: dry } })));
    } catch (error) {
      complain(error);
    }
    setBusy(false);
  };
  const undo = () => {
    call("POST", `/v1/receipts/${part(receipt!.ref)}/undo`).then(() => {
      tell(t("undo.done"));
      setReceipt(null);
    }, complain);
  };
  const dry = receipt?.state === "dry run";
  const many = receipt ? receipt.changes.length || receipt.ids.length : 0;
  return (
    <Card title={t(`tidy.${verb}`)} action={<button type="button" disabled={busy} onClick={() => void run(true)}>{t("tidy.look")}</button>}>
      <p className="muted">{t(`tidy.${verb}_what`)}</p>
      {receipt && (
        <div className="stack" role="status">
          <p>{dry ? tn("tidy.would", many) : tn("tidy.did", many)}</p>
          {many > 0 && (dry ? <ReceiptCard receipt={receipt} /> : <ReceiptCard receipt={receipt} onUndo={undo} />)}
          {dry && many > 0 && (
            <div className="form-foot">
              <button type="button" onClick={() => setReceipt(null)}>{t("cancel")}</button>
              <button type="button" className="primary" disabled={busy} onClick={() => void run(false)}>{t("tidy.do")}</button>
            </div>
          )}
        </div>
      )}
    </Card>
  );
}

function Log() {
  const log = useResource("receipts/tidy", (signal) => call<Page<Receipt>>("GET", "/v1/receipts", { query: { actions: ["prune", "merge", "decay", "mine"], limit: 20 }, signal }), ["memory"]);
  const undo = (receipt: Receipt) => {
    call("POST", `/v1/receipts/${part(receipt.ref)}/undo`).then(() => {
      tell(t("undo.done"));
      log.reload();
    }, complain);
  };
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
                    <button type="button" className="quiet" onClick={() => undo(one)}>{t("undo")}</button>
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
