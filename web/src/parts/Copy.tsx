import { t } from "../i18n";
import { complain, tell } from "./notices";

/** Text to copy, such as a command. */
export function Copy({ text }: { text: string }) {
  return (
    <div className="copy">
      <pre tabIndex={0} role="region" aria-label={t("text.code")}><code>{text}</code></pre>
      <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => tell(t("copied")), complain)}>{t("copy")}</button>
    </div>
  );
}
