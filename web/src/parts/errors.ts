import { Problem, Unreachable } from "../api/client";
import { isKey, language, t } from "../i18n";

/** What went wrong, in the page's language: by the server's code for it, else by its error class, else by HTTP status. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return t("error.unreachable");
  if (!(error instanceof Problem)) return t("error.failed");
  const exact = `error.why.${error.code}`;
  if (isKey(exact)) return t(exact, error.values);
  // The server's own sentence is more exact than its class, but it is English.
  if (language.get() === "en" && error.detail && error.status < 500 && (!error.kind || EXACT.includes(error.kind))) return sentence(error.detail);
  const byKind = `error.code.${error.kind}`;
  const byStatus = `error.status.${error.status}`;
  return isKey(byKind) ? t(byKind) : isKey(byStatus) ? t(byStatus) : t("error.failed");
}

/** Errors whose sentence says what exactly is wrong. */
const EXACT = ["Invalid", "Refused", "NotAllowed", "NotInPlan"];

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
