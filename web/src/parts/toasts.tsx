import { useEffect } from "react";
import { Text, UNSTABLE_Toast as Toast, UNSTABLE_ToastContent as ToastContent, UNSTABLE_ToastQueue as ToastQueue, UNSTABLE_ToastRegion as ToastRegion } from "react-aria-components";
import { t } from "../i18n";
import { useStore } from "../store";
import { Icon } from "./icons";
import { pending, type Notice } from "./notices";

const queue = new ToastQueue<Notice>({ maxVisibleToasts: 3 });
const SHORT_MS = 6_000;
const LONG_MS = 12_000;

/** Notices above everything else, dialogs included. */
export function Toasts() {
  const waiting = useStore(pending);
  useEffect(() => {
    if (!waiting.length) return;
    pending.set([]);
    for (const notice of waiting) queue.add(notice, { timeout: notice.undo || notice.tone === "bad" ? LONG_MS : SHORT_MS });
  }, [waiting]);
  return (
    <ToastRegion queue={queue} className="notices" aria-label={t("notices")}>
      {({ toast }) => (
        <Toast toast={toast} className={`notice ${toast.content.tone}`}>
          <Icon name={toast.content.tone === "good" ? "check" : "warn"} />
          <ToastContent>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.undo && (
            <button
              type="button"
              className="link"
              onClick={() => {
                queue.close(toast.key);
                toast.content.undo?.();
              }}
            >
              {t("undo")}
            </button>
          )}
          <button type="button" className="icon-button" aria-label={t("close")} onClick={() => queue.close(toast.key)}>
            <Icon name="close" size={16} />
          </button>
        </Toast>
      )}
    </ToastRegion>
  );
}
