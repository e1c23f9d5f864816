import { useState } from "react";
import { call, part } from "../api/client";
import type { Receipt } from "../api/types";
import { t } from "../i18n";
import { store, useStore } from "../store";
import { errorText } from "./errors";
import { later } from "./later";

export interface Notice {
  text: string;
  tone: "good" | "bad";
  undo?: () => void;
}

/** Notices that are not on screen yet; the toast region takes them from here. */
export const pending = store<Notice[]>([]);

export function tell(text: string, options: { tone?: "good" | "bad"; undo?: () => void } = {}): void {
  const notice: Notice = { text, tone: options.tone ?? "good" };
  if (options.undo) notice.undo = options.undo;
  pending.set((old) => [...old, notice]);
}

/** Show what went wrong. */
export const complain = (error: unknown): void => tell(errorText(error), { tone: "bad" });

/** Say what was done, and offer to undo it, unless it is final. */
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

const Toasts = later(async () => (await import("./toasts")).Toasts);

/** Nothing is loaded before the first notice. */
export function Notices() {
  const waiting = useStore(pending).length > 0;
  const [used, setUsed] = useState(waiting);
  if (waiting && !used) setUsed(true);
  return used ? <Toasts /> : null;
}
