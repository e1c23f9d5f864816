import { useRef, useState } from "react";
import { call, Problem, send } from "../../api/client";
import type { Report } from "../../api/types";
import { upload } from "../../api/upload";
import { bytes, number } from "../../format";
import { t } from "../../i18n";
import { Card, Field } from "../../parts/bits";
import { Icon } from "../../parts/icons";
import { complain, words } from "../../parts/notices";

/** Backup, export and import. */
export function Data() {
  return (
    <div className="stack">
      <Backup />
      <Export />
      <Import />
    </div>
  );
}

function Backup() {
  const [said, setSaid] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    setSaid(null);
    try {
      const report = await call<Report>("POST", "/v1/backup");
      setSaid([t("data.backup_done"), ...report.notes].join(" "));
    } catch (error) {
      setSaid(words(error));
    }
    setBusy(false);
  };
  return (
    <Card title={t("data.backup")} action={<button type="button" disabled={busy} onClick={() => void run()}><Icon name="archive" size={18} /> {t("data.backup_do")}</button>}>
      <p className="muted">{t("data.backup_what")}</p>
      {busy && <progress aria-label={t("data.backup")} />}
      <p role="status">{said}</p>
    </Card>
  );
}

function Export() {
  const [read, setRead] = useState<number | null>(null);
  const [done, setDone] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const run = async () => {
    stop.current = new AbortController();
    setDone(false);
    setRead(0);
    try {
      const answer = await send("GET", "/v1/me/memory/export", { signal: stop.current.signal, headers: { Accept: "application/x-ndjson" }, bare: true });
      const pieces: BlobPart[] = [];
      let size = 0;
      const reader = answer.body!.getReader();
      for (;;) {
        const { value, done: end } = await reader.read();
        if (end) break;
        pieces.push(value);
        size += value.length;
        setRead(size);
      }
      keep(new Blob(pieces, { type: "application/x-ndjson" }), `commonplace-${new Date().toISOString().slice(0, 10)}.ndjson`);
      setDone(true);
    } catch (error) {
      setRead(null);
      if (!stop.current.signal.aborted) complain(error);
    }
    stop.current = null;
  };
  const running = read !== null && !done;
  return (
    <Card
      title={t("data.export")}
      action={
        running ? (
          <button type="button" onClick={() => stop.current?.abort()}>{t("cancel")}</button>
        ) : (
          <button type="button" onClick={() => void run()}><Icon name="download" size={18} /> {t("data.export_do")}</button>
        )
      }
    >
      <p className="muted">{t("data.export_what")}</p>
      {running && <progress aria-label={t("data.export")} />}
      <p role="status">{read !== null && (done ? t("data.export_done", { size: bytes(read) }) : t("data.read", { size: bytes(read) }))}</p>
    </Card>
  );
}

function keep(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function Import() {
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [looked, setLooked] = useState(false);
  const [answer, setAnswer] = useState<Report | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const run = async (dry: boolean) => {
    if (!file) return;
    setSent(0);
    setWrong(null);
    try {
      setAnswer(await upload<Report>("/v1/import", file, { dry_run: dry }, setSent));
      setLooked(dry);
    } catch (error) {
      setWrong(error instanceof Problem && error.detail ? error.detail : words(error));
    }
    setSent(null);
  };
  return (
    <Card title={t("data.import")}>
      <p className="muted">{t("data.import_what")}</p>
      <Field label={t("data.file")}>
        {(id) => (
          <input
            id={id}
            type="file"
            accept=".ndjson,.jsonl,.json,application/x-ndjson"
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null);
              setAnswer(null);
              setLooked(false);
            }}
          />
        )}
      </Field>
      {sent !== null && <progress max={1} value={sent} aria-label={t("data.import")} />}
      {answer && (
        <div className="receipt" role="status">
          <p>{looked ? t("data.import_would") : t("data.import_done")}</p>
          <dl className="pairs">
            <div>
              <dt>{t("data.import_all")}</dt>
              <dd>{number(answer.count)}</dd>
            </div>
            {Object.entries(answer.counts).map(([name, many]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{number(many)}</dd>
              </div>
            ))}
          </dl>
          {answer.notes.map((one) => (
            <p key={one} className="small muted">{one}</p>
          ))}
        </div>
      )}
      {wrong && <p className="error-line" role="alert">{wrong}</p>}
      <div className="row">
        <button type="button" disabled={!file || sent !== null} onClick={() => void run(true)}>{t("tidy.look")}</button>
        <button type="button" className="primary" disabled={!file || sent !== null || !looked} onClick={() => void run(false)}><Icon name="upload" size={18} /> {t("data.import_do")}</button>
      </div>
    </Card>
  );
}
