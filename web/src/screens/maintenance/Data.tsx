import { useState } from "react";
import { call } from "../../api/client";
import { refresh } from "../../api/query";
import type { ImportedFile, Report } from "../../api/types";
import { upload } from "../../api/upload";
import { number } from "../../format";
import { t, word } from "../../i18n";
import { Card, Field } from "../../parts/bits";
import { Icon } from "../../parts/icons";
import { errorText } from "../../parts/errors";
import { ExportButton } from "../../parts/Export";
import { href } from "../../router";
import { Plain } from "../../text/Plain";

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
      setSaid(errorText(error));
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
  return (
    <Card title={t("data.export")}>
      <p className="muted">{t("data.export_what")}</p>
      <ExportButton />
    </Card>
  );
}

/** What can be imported; the first is our own export. */
const FORMATS = [
  ["export", "Commonplace", ".ndjson,.jsonl"],
  ["chatgpt", "ChatGPT", ".zip,.json"],
  ["claude", "Claude", ".zip,.json"],
  ["mem0", "mem0", ".json"],
  ["obsidian", "Obsidian", ".zip,.md"],
  ["claude-code", "Claude Code", ".zip,.md"],
  ["claude-code-transcripts", "Claude Code (sessions)", ".zip,.jsonl"],
  ["codex", "Codex", ".zip,.jsonl"],
  ["gemini", "Gemini", ".zip,.json"],
  ["letta", "Letta", ".af,.json"],
  ["mcp-memory", "MCP memory server", ".json,.jsonl"],
  ["basic-memory", "basic-memory", ".zip,.md"],
  ["instructions", "CLAUDE.md, AGENTS.md", ".md,.mdc"],
  ["markdown", "Markdown", ".zip,.md"],
] as const;

interface Counted extends Pick<ImportedFile, "counts" | "skipped" | "problems"> {
  notes: string[];
}

async function sendFile(format: string, file: File, dry_run: boolean, onProgress: (share: number) => void): Promise<Counted> {
  const answer: Partial<Counted> =
    format === "export"
      ? await upload<Report>("/v1/import", file, { dry_run }, onProgress)
      : await upload<ImportedFile>("/v1/import/file", file, { format, name: file.name.slice(-200), dry_run }, onProgress);
  return { counts: {}, skipped: {}, problems: [], notes: [], ...answer };
}

/** A file is counted first; importing it is the second step. */
function Import() {
  const [format, setFormat] = useState<string>("export");
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [preview, setPreview] = useState(false);
  const [answer, setAnswer] = useState<Counted | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const clear = () => {
    setAnswer(null);
    setFailure(null);
    setPreview(false);
  };
  const run = async (dry: boolean) => {
    if (!file) return;
    setSent(0);
    setFailure(null);
    try {
      setAnswer(await sendFile(format, file, dry, setSent));
      setPreview(dry);
      if (!dry) refresh(new Set(["*"]));
    } catch (error) {
      clear();
      setFailure(errorText(error));
    }
    setSent(null);
  };
  const [, , accept] = FORMATS.find(([name]) => name === format)!;
  return (
    <Card title={t("data.import")}>
      <p className="muted">{t("data.import_what")}</p>
      <div className="row">
        <Field label={t("data.from")}>
          {(id) => (
            <select id={id} value={format} onChange={(event) => { setFormat(event.target.value); clear(); }}>
              {FORMATS.map(([name, label]) => <option key={name} value={name}>{name === "export" ? t("data.from_export") : label}</option>)}
            </select>
          )}
        </Field>
        <Field label={t("data.file", { types: accept.replaceAll(",", ", ") })}>
          {(id) => <input id={id} type="file" accept={accept} onChange={(event) => { setFile(event.target.files?.[0] ?? null); clear(); }} />}
        </Field>
      </div>
      {accept.includes(".zip") && <p className="small muted">{t("data.zip")}</p>}
      {sent !== null && <progress {...(sent < 1 ? { max: 1, value: sent } : {})} aria-label={t("data.import")} />}
      {answer && (
        <div className="receipt" role="status">
          <p>{preview ? t("data.import_would") : t("data.import_done")}</p>
          {Object.keys(answer.counts).length ? (
            <dl className="pairs">
              {Object.entries(answer.counts).map(([name, many]) => (
                <div key={name}>
                  <dt>{word("count", name)}</dt>
                  <dd>{number(many)}</dd>
                </div>
              ))}
            </dl>
          ) : (
            <p>{t("data.import_none")}</p>
          )}
          {Object.entries(answer.skipped).map(([what, many]) => <p key={what} className="small muted">{t("data.skipped", { n: many, what })}</p>)}
          {answer.problems.length > 0 && (
            <details>
              <summary>{t("data.problems", { n: answer.problems.length })}</summary>
              <ul className="lines small">
                {answer.problems.map(({ place, what }, at) => <li key={at}><code><Plain text={place} /></code> <Plain text={what} /></li>)}
              </ul>
            </details>
          )}
          {answer.notes.map((note) => <p key={note} className="small muted">{note}</p>)}
          {!preview && format !== "export" && <p><a href={href("review")}>{t("data.to_review")}</a></p>}
        </div>
      )}
      {failure && <p className="error-line" role="alert">{failure}</p>}
      <div className="row">
        <button type="button" disabled={!file || sent !== null} onClick={() => void run(true)}>{t("tidy.look")}</button>
        <button type="button" className="primary" disabled={!file || sent !== null || !preview} onClick={() => void run(false)}><Icon name="upload" size={18} /> {t("data.import_do")}</button>
      </div>
    </Card>
  );
}
