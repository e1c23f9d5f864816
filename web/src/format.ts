/** Dates, times and numbers as the page's language writes them. */
import { regional } from "./i18n";

const made = new Map<string, unknown>();

function keep<T>(name: string, make: (language: string) => T): T {
  const language = regional();
  const place = `${language}/${name}`;
  if (!made.has(place)) made.set(place, make(language));
  return made.get(place) as T;
}

export const number = (value: number): string => keep("number", (l) => new Intl.NumberFormat(l)).format(value);

export const percent = (value: number): string =>
  keep("percent", (l) => new Intl.NumberFormat(l, { style: "percent", maximumFractionDigits: 0 })).format(value);

export const short = (value: number): string =>
  keep("short", (l) => new Intl.NumberFormat(l, { notation: "compact", maximumFractionDigits: 1 })).format(value);

export function bytes(size: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  let step = 0;
  let left = size;
  while (left >= 1000 && step < units.length - 1) {
    left /= 1000;
    step += 1;
  }
  const unit = units[step]!;
  return keep(unit, (l) => new Intl.NumberFormat(l, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: 1 })).format(left);
}

export const date = (iso: string): string =>
  valid(iso, (at) => keep("date", (l) => new Intl.DateTimeFormat(l, { dateStyle: "medium" })).format(at));

export const time = (iso: string): string =>
  valid(iso, (at) => keep("time", (l) => new Intl.DateTimeFormat(l, { timeStyle: "short" })).format(at));

export const moment = (iso: string): string =>
  valid(iso, (at) =>
    keep("moment", (l) => new Intl.DateTimeFormat(l, { dateStyle: "medium", timeStyle: "short" })).format(at),
  );

/** A calendar day (`2026-03-14`), which belongs to no time zone. */
export const day = (name: string): string =>
  valid(`${name.slice(0, 10)}T12:00:00Z`, (at) =>
    keep("day", (l) => new Intl.DateTimeFormat(l, { dateStyle: "full", timeZone: "UTC" })).format(at),
  );

export const dayShort = (name: string): string =>
  valid(`${name.slice(0, 10)}T12:00:00Z`, (at) =>
    keep("dayShort", (l) => new Intl.DateTimeFormat(l, { day: "numeric", month: "short", timeZone: "UTC" })).format(at),
  );

function valid(iso: string, show: (at: Date) => string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : show(at);
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
  ["week", 4.35],
  ["month", 12],
  ["year", Infinity],
];

/** "3 hours ago", in the language of the page. */
export function ago(iso: string, now: number = Date.now()): string {
  const then = new Date(iso).getTime();
  if (Number.isNaN(then)) return iso;
  let left = (then - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(left) < size) {
      return keep("ago", (l) => new Intl.RelativeTimeFormat(l, { numeric: "auto" })).format(Math.round(left), unit);
    }
    left /= size;
  }
  return iso;
}
