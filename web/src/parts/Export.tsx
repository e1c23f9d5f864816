import { useRef, useState } from "react";
import { send } from "../api/client";
import { bytes } from "../format";
import { t } from "../i18n";
import { Icon } from "./icons";
import { complain } from "./notices";

/** A button that downloads everything, with how far it is. */
export function ExportButton() {
  const [size, setSize] = useState<number | null>(null);
  const [complete, setComplete] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const run = async () => {
    stop.current = new AbortController();
    setComplete(false);
    setSize(0);
    try {
      const answer = await send("GET", "/v1/me/memory/export", { signal: stop.current.signal, headers: { Accept: "application/x-ndjson" }, bare: true });
      const pieces: BlobPart[] = [];
      let read = 0;
      const reader = answer.body!.getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        pieces.push(value);
        read += value.length;
        setSize(read);
      }
      save(new Blob(pieces, { type: "application/x-ndjson" }), `commonplace-${new Date().toISOString().slice(0, 10)}.ndjson`);
      setComplete(true);
    } catch (error) {
      setSize(null);
      if (!stop.current.signal.aborted) complain(error);
    }
    stop.current = null;
  };
  const running = size !== null && !complete;
  return (
    <span className="row">
      {running ? (
        <button type="button" onClick={() => stop.current?.abort()}>{t("cancel")}</button>
      ) : (
        <button type="button" onClick={() => void run()}><Icon name="download" size={18} /> {t("data.export_do")}</button>
      )}
      {running && <progress aria-label={t("data.export")} />}
      <span role="status">{size !== null && (complete ? t("data.export_done", { size: bytes(size) }) : t("data.read", { size: bytes(size) }))}</span>
    </span>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
