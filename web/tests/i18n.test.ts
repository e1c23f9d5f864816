import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import { choose, LANGUAGES, showLanguage, t, word } from "../src/i18n";

const table = (language: string) => JSON.parse(readFileSync(join(__dirname, `../src/i18n/${language}.json`), "utf8")) as Record<string, string>;
const TABLES = Object.fromEntries(LANGUAGES.map((language) => [language, table(language)]));
const en = TABLES.en!;

function sources(folder: string, ending = /\.tsx?$/): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path, ending);
    return ending.test(name) ? [readFileSync(path, "utf8")] : [];
  });
}

const CODE = sources(join(__dirname, "../src")).join("\n");
const GROUPS = ["kind", "category", "status", "source", "state", "action", "part", "tier", "count", "noun", "job", "scope", "entity"];

const known = new Map<string, string[]>();

/** Keys that are put together at run time. */
function templatesIn(code: string): string[] {
  if (!known.has(code)) known.set(code, [...code.matchAll(/(?:\bt\(|= )`([^`]+)`/g)].map(([, template]) => template!));
  return known.get(code)!;
}

/** Is a key used anywhere: as it is, through a template, or as the word of a value? */
function used(key: string, code: string): boolean {
  if (code.includes(`"${key}"`)) return true;
  if (GROUPS.some((group) => key.startsWith(`${group}.`) && code.includes(`word("${group}"`))) return true;
  return templatesIn(code).some((template) => {
    const pattern = template.split(/\$\{[^}]+\}/).map((part) => part.replace(/[.*+?^()|[\]\\{}$]/g, "\\$&")).join("\\w+");
    return /^\w+\./.test(template) && new RegExp(`^${pattern}$`).test(key);
  });
}

/** The values a message takes: `{name}` and `{n, plural, …}`. */
const places = (words: string): string[] => {
  const found = new Set<string>();
  const visit = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens as unknown[]) {
      if (!Array.isArray(token)) continue;
      if (token[0] !== "#") found.add(String(token[0]));
      if (token[2] && typeof token[2] === "object") Object.values(token[2]).forEach(visit);
    }
  };
  visit(compileMessageOrThrow(words));
  return [...found].sort();
};

describe("the five languages", () => {
  for (const language of LANGUAGES) {
    it(`${language} has every key, no other, and no empty words`, () => {
      expect(Object.keys(TABLES[language]!).sort()).toEqual(Object.keys(en).sort());
      expect(Object.entries(TABLES[language]!).filter(([, words]) => !words.trim())).toEqual([]);
    });

    it(`${language} keeps the places where values go`, () => {
      for (const [key, words] of Object.entries(en)) expect([key, places(TABLES[language]![key]!)]).toEqual([key, places(words)]);
    });
  }

  it("has no key that nothing uses", () => {
    expect(Object.keys(en).filter((key) => !used(key, CODE))).toEqual([]);
  });

  it("would notice a key that nothing uses", () => {
    expect(used("home.never_asked", CODE)).toBe(false);
    expect(used("home.title", CODE)).toBe(true);
  });

  it("has every key that is used", () => {
    const asked = [...CODE.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key!);
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.filter((key) => !(key in en))).toEqual([]);
  });

  it("has words for every error of the server", () => {
    const errors = readFileSync(join(__dirname, "../../src/commonplace/interfaces/problems.py"), "utf8");
    const names = [...errors.matchAll(/^ {4}(?:errors\.)?(\w+): ErrorKind\(/gm)].map(([, name]) => name!).filter((name) => name !== "CommonplaceError");
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !(`error.code.${name}` in en))).toEqual([]);
  });

  it("has words for every code of an error, and no other", () => {
    const python = sources(join(__dirname, "../../src/commonplace"), /\.py$/).join("\n");
    const codes = new Set([...python.matchAll(/\bcode="(\w{3,})"/g)].map(([, code]) => code!));
    expect(codes.size).toBeGreaterThan(20);
    const translated = Object.keys(en).filter((key) => key.startsWith("error.why.")).map((key) => key.slice("error.why.".length));
    expect(translated.sort()).toEqual([...codes].sort());
  });

  it("are really translated", () => {
    const same = (words: Record<string, string>) => Object.entries(words).filter(([key, text]) => text === en[key]).length;
    for (const language of ["it", "es", "fr", "de"]) expect(same(TABLES[language]!)).toBeLessThan(Object.keys(en).length / 8);
  });

  it("each has its own word for the danger zone, in capitals", () => {
    const all = LANGUAGES.map((language) => TABLES[language]!["danger.word"]!);
    expect(new Set(all).size).toBe(5);
    for (const one of all) expect(one).toBe(one.toLocaleUpperCase());
  });
});

describe("choosing", () => {
  it("takes the first of the browser's languages that we have", () => {
    expect(choose(["pt-BR", "fr-CA", "de"])).toBe("fr");
    expect(choose(["IT"])).toBe("it");
    expect(choose(["ja", "zh"])).toBe("en");
    expect(choose([])).toBe("en");
  });
});

describe("words", () => {
  it("fills in values", () => {
    expect(t("sign.out_as", { owner: "$&{b}" })).toBe("Sign out ($&{b})");
  });

  it("counts as the language does", async () => {
    expect(t("memories.count", { n: 1 })).toBe("1 memory");
    expect(t("memories.count", { n: 12345 })).toBe("12,345 memories");
    await showLanguage("de");
    expect(t("memories.count", { n: 12345 })).toBe("12.345 Erinnerungen");
    expect(t("save")).toBe("Speichern");
    await showLanguage("fr");
    expect(t("memories.count", { n: 0 })).toBe("0 souvenir");
    await showLanguage("en");
  });

  it("shows a value it does not know as it is", () => {
    expect(word("status", "verified")).toBe("verified");
    expect(word("state", "scrub pending")).toBe("deletion in progress");
    expect(word("kind", "something new")).toBe("something new");
  });
});
