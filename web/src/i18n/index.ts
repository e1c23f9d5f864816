/** The page's words in five languages: ICU messages, compiled when the page is built (see vite.config.ts). */
import { setupI18n, type Messages } from "@lingui/core";
import { store } from "../store";
import en from "./en.json";

export type Key = keyof typeof en;

export const LANGUAGES = ["en", "it", "es", "fr", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
export const NAMES: Record<Language, string> = {
  en: "English",
  it: "Italiano",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
};

const loaders: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => Promise.resolve({ default: en }),
  it: () => import("./it.json"),
  es: () => import("./es.json"),
  fr: () => import("./fr.json"),
  de: () => import("./de.json"),
};

const STORAGE_KEY = "commonplace.language";
const i18n = setupI18n({ locale: "en", messages: { en: en as unknown as Messages } });

/** The language on screen; components that read it are drawn again when it changes. */
export const language = store<Language>("en");

/** The first of the browser's languages that we have, else English. */
export function choose(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const base = tag.toLowerCase().split("-")[0] as Language;
    if (LANGUAGES.includes(base)) return base;
  }
  return "en";
}

/** The browser's own variant of the language on screen (`en-GB`): it decides how dates and numbers are written. */
export function regional(preferred: readonly string[] = typeof navigator === "undefined" ? [] : navigator.languages): string {
  const base = language.get();
  return preferred.find((tag) => tag.toLowerCase().split("-")[0] === base) ?? base;
}

export async function showLanguage(next: Language): Promise<void> {
  i18n.loadAndActivate({ locale: next, messages: (await loaders[next]()).default as Messages });
  language.set(next);
  if (typeof document !== "undefined") document.documentElement.lang = next;
}

export async function openLanguage(): Promise<void> {
  const saved = localStorage.getItem(STORAGE_KEY) as Language | null;
  await showLanguage(saved && LANGUAGES.includes(saved) ? saved : choose(navigator.languages));
}

export async function setLanguage(next: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, next);
  await showLanguage(next);
}

type Values = Record<string, string | number>;

/** The words for `key` in the language of the page. */
export const t = (key: Key, values: Values = {}): string => i18n._(key, values);

/** Whether there are words for a key that is put together at run time. */
export const isKey = (key: string): key is Key => key in en;

export type Group = "kind" | "category" | "status" | "source" | "state" | "action" | "part" | "tier" | "count" | "noun" | "job" | "scope" | "entity" | "predicate";

/** Words for a value that comes from the server (a kind, a status); an unknown value is shown as it is. */
export function word(group: Group, value: string): string {
  const key = `${group}.${value.toLowerCase().replaceAll(" ", "_")}`;
  return isKey(key) ? t(key) : value;
}

/** What a relation says, in words: `lives_in` is "lives in". */
export const predicateWords = (name: string): string => word("predicate", name).replaceAll("_", " ");
