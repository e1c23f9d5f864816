import { useId, type ReactNode } from "react";
import { ago, moment, percent } from "../format";
import { word } from "../i18n";

export function Badge({ tone = "plain", children }: { tone?: string; children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

export const Status = ({ value }: { value: string }) => <Badge tone={`status-${value}`}>{word("status", value)}</Badge>;

/** How long ago, with the exact moment on demand. */
export function When({ at, exact = false }: { at: string; exact?: boolean }) {
  return (
    <time dateTime={at} title={moment(at)}>
      {exact ? moment(at) : ago(at)}
    </time>
  );
}

/** A share from 0 to 1 as a bar. */
export function Meter({ value, label, tone = "" }: { value: number; label: string; tone?: string }) {
  const share = Math.round(Math.max(0, Math.min(1, value)) * 100);
  return (
    <span className={`meter ${tone}`} role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={share}>
      <span style={{ width: `${share}%` }} />
    </span>
  );
}

export function Bar({ value, label }: { value: number; label: string }) {
  return (
    <span className="bar">
      <Meter value={value} label={label} />
      <span className="bar-value">{percent(value)}</span>
    </span>
  );
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint && <p className="muted small">{hint}</p>}
    </div>
  );
}

export function Card({ title, action, tone, children }: { title?: string; action?: ReactNode; tone?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`card ${tone ?? ""}`} {...(title ? { "aria-labelledby": id } : {})}>
      {title && (
        <header className="card-head">
          <h2 id={id}>{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  );
}

export function Screen({ title, lead, action, children, wide }: { title: string; lead?: string; action?: ReactNode; children: ReactNode; wide?: boolean }) {
  return (
    <div className={`screen${wide ? " wide" : ""}`}>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {action && <div className="actions">{action}</div>}
      </header>
      {children}
    </div>
  );
}

export function Segments<T extends string>({ label, value, options, onChange }: { label: string; value: T; options: readonly { value: T; label: string }[]; onChange: (value: T) => void }) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend>{label}</legend>
      <div>
        {options.map((one) => (
          <label key={one.value}>
            <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
            <span>{one.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
