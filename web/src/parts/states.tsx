import type { ReactNode } from "react";
import { Problem, Unreachable } from "../api/client";
import type { Resource } from "../api/query";
import { t } from "../i18n";
import { Icon, type IconName } from "./icons";
import { errorText } from "./errors";

export function Empty({ icon = "book", title, children }: { icon?: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <Icon name={icon} size={32} />
      <p className="state-title">{title}</p>
      {children && <div className="muted">{children}</div>}
    </div>
  );
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const away = error instanceof Unreachable;
  const gated = error instanceof Problem && error.status === 403;
  return (
    <div className="state" role="alert">
      <Icon name={away ? "offline" : gated ? "key" : "warn"} size={32} />
      <p className="state-title">{away ? t("error.offline_title") : gated ? t("error.gated_title") : t("error.title")}</p>
      <p className="muted">{errorText(error)}</p>
      {retry && !gated && (
        <button type="button" onClick={retry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

/** Grey lines the size of what will come, so that nothing jumps. */
export function Skeleton({ rows = 3, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div className="skeleton" role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} style={{ height }} />
      ))}
    </div>
  );
}

interface Shown<T> {
  of: Resource<T>;
  rows?: number;
  height?: number;
  children: (data: T) => ReactNode;
}

/** A resource in whichever state it is: there, on its way, or failed. */
export function Show<T>({ of, rows, height, children }: Shown<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <Failed error={of.error} retry={of.reload} />;
  return <Skeleton {...(rows ? { rows } : {})} {...(height ? { height } : {})} />;
}
