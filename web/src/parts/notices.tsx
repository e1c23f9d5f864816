import { useEffect } from "react";
import { call, part, Problem, Unreachable } from "../api/client";
import type { Receipt } from "../api/types";
import { t } from "../i18n";
import { store, useStore } from "../store";
import { Icon } from "./icons";

interface Notice {
  id: number;
  text: string;
  tone: "good" | "bad";
  undo?: () => void;
}

const notices = store<Notice[]>([]);
let last = 0;

export function tell(text: string, options: { tone?: "good" | "bad"; undo?: () => void } = {}): void {
  last += 1;
  const notice: Notice = { id: last, text, tone: options.tone ?? "good" };
  if (options.undo) notice.undo = options.undo;
  notices.set((old) => [...old.slice(-2), notice]);
}

/** What went wrong, in words for a person. */
export function words(error: unknown): string {
  if (error instanceof Unreachable) return t("error.unreachable");
  if (error instanceof Problem) {
    if (error.status === 403) return error.detail || t("error.forbidden");
    if (error.status === 404) return t("error.missing");
    if (error.status === 429) return t("error.slow");
    return error.detail || error.title || t("error.failed");
  }
  return t("error.failed");
}

export const complain = (error: unknown): void => tell(words(error), { tone: "bad" });

/** Say what was done, and offer to take it back, unless it is final. */
export function tellUndo(text: string, receipt: Receipt, after: () => void): void {
  if (receipt.state.startsWith("scrub")) return tell(text);
  tell(text, {
    undo: () => {
      call<Receipt>("POST", `/v1/receipts/${part(receipt.ref)}/undo`).then(() => {
        tell(t("undo.done"));
        after();
      }, complain);
    },
  });
}

export function Notices() {
  const shown = useStore(notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map((one) => (
        <One key={one.id} notice={one} />
      ))}
    </div>
  );
}

function One({ notice }: { notice: Notice }) {
  const drop = () => notices.set((old) => old.filter((one) => one.id !== notice.id));
  useEffect(() => {
    const timer = setTimeout(
      () => notices.set((old) => old.filter((one) => one.id !== notice.id)),
      notice.undo ? 12_000 : 6_000,
    );
    return () => clearTimeout(timer);
  }, [notice.id, notice.undo]);
  return (
    <div className={`notice ${notice.tone}`}>
      <Icon name={notice.tone === "good" ? "check" : "warn"} />
      <span>{notice.text}</span>
      {notice.undo && (
        <button
          type="button"
          className="link"
          onClick={() => {
            drop();
            notice.undo?.();
          }}
        >
          {t("undo")}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t("close")} onClick={drop}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
