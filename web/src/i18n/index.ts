import { store } from "../store";
import en from "./en.json";

export type Table = Record<keyof typeof en, string>;
export type Key = keyof typeof en;
type Counted = Key extends infer K ? (K extends `${infer Base}.other` ? Base : never) : never;

export const LANGUAGES = ["en", "it", "es", "fr", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export const NAMES: Record<Language, string> = {
  en: "English",
  it: "Italiano",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
};

const loaders: Record<Exclude<Language, "en">, () => Promise<{ default: Table }>> = {
  it: () => import("./it.json"),
  es: () => import("./es.json"),
  fr: () => import("./fr.json"),
  de: () => import("./de.json"),
};

interface Spoken {
  language: Language;
  table: Table;
}

export const spoken = store<Spoken>({ language: "en", table: en });

/** The first of the browser's languages that we have, else English. */
export function choose(wanted: readonly string[]): Language {
  for (const one of wanted) {
    const base = one.toLowerCase().split("-")[0] as Language;
    if (LANGUAGES.includes(base)) return base;
  }
  return "en";
}

export async function speak(language: Language): Promise<void> {
  const table = language === "en" ? en : (await loaders[language]()).default;
  spoken.set({ language, table });
  document.documentElement.lang = language;
}

export async function openLanguage(): Promise<void> {
  const kept = localStorage.getItem("commonplace.language") as Language | null;
  await speak(kept && LANGUAGES.includes(kept) ? kept : choose(navigator.languages));
}

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem("commonplace.language", language);
  await speak(language);
}

type Values = Record<string, string | number>;

export function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** The words for `key` in the language of the page. */
export function t(key: Key, values?: Values): string {
  const words = spoken.get().table[key];
  return values ? fill(words, values) : words;
}

/** The words for a number of things: `key.one`, `key.other`; `{n}` is the number as the language writes it. */
export function tn(key: Counted, n: number, values: Values = {}): string {
  const { language, table } = spoken.get();
  const form = new Intl.PluralRules(language).select(n) === "one" ? "one" : "other";
  return fill(table[`${key}.${form}` as Key], { n: new Intl.NumberFormat(language).format(n), ...values });
}

/** Words for a value that comes from the server (a kind, a status); an unknown one is shown as it is. */
export function word(group: "kind" | "category" | "status" | "source" | "state" | "action" | "part" | "tier", value: string): string {
  const table = spoken.get().table as Record<string, string>;
  return table[`${group}.${value.toLowerCase().replaceAll(" ", "_")}`] ?? value;
}
