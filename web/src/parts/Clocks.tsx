import { moment } from "../format";
import { t, type Key } from "../i18n";
import { Field } from "./bits";

export interface AsOf {
  as_of: string | null;
  known_at: string | null;
}

interface Shown {
  value: AsOf;
  /** The earliest moment that makes sense. */
  since: string;
  onChange: (value: AsOf) => void;
}

const STEPS = 500;

/** A place on the slider as a moment; its right end is now, which is no moment but the present. */
export function momentAt(step: number, since: number, until: number): string | null {
  return step >= STEPS ? null : new Date(since + ((until - since) * step) / STEPS).toISOString();
}

export function stepAt(moment: string | null, since: number, until: number): number {
  if (moment === null || until <= since) return STEPS;
  return Math.round(Math.max(0, Math.min(1, (Date.parse(moment) - since) / (until - since))) * STEPS);
}

/** Two sliders for the two clocks: when it was true, and when we knew it. */
export function Clocks({ value, since, onChange }: Shown) {
  const until = Date.now();
  const from = Math.min(Date.parse(since) || until, until - 86_400_000);
  const slider = (name: keyof AsOf, label: Key) => (
    <Field label={`${t(label)}: ${value[name] ? moment(value[name]) : t("clock.now")}`}>
      {(id) => (
        <input
          id={id}
          type="range"
          min={0}
          max={STEPS}
          value={stepAt(value[name], from, until)}
          aria-valuetext={value[name] ? moment(value[name]) : t("clock.now")}
          onChange={(event) => onChange({ ...value, [name]: momentAt(Number(event.target.value), from, until) })}
        />
      )}
    </Field>
  );
  return (
    <div className="clocks">
      {slider("as_of", "clock.true")}
      {slider("known_at", "clock.known")}
      <button type="button" className="quiet" disabled={!value.as_of && !value.known_at} onClick={() => onChange({ as_of: null, known_at: null })}>
        {t("clock.reset")}
      </button>
    </div>
  );
}
