import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import ts from "typescript";
import { choose, LANGUAGES, predicateWords, showLanguage, t, word } from "../src/i18n";
import { because } from "../src/parts/reasons";

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
const PYTHON = sources(join(__dirname, "../../src/commonplace"), /\.py$/).join("\n");

/** What the first group of any of the patterns finds in the server's source, each once. */
const inPython = (...patterns: RegExp[]): string[] => [...new Set(patterns.flatMap((pattern) => [...PYTHON.matchAll(pattern)].map(([, name]) => name!)))].sort();

/** Text that a person would read and that is not taken from the tables: in markup, and in attributes that are read out. */
function untranslated(source: string): string[] {
  const read = ["aria-label", "aria-valuetext", "alt", "label", "placeholder", "title"];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text.trim());
    if (ts.isJsxExpression(node) && node.expression && ts.isStringLiteralLike(node.expression) && !ts.isJsxAttribute(node.parent)) found.push(node.expression.text);
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer) && read.includes(node.name.getText())) found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("screen.tsx", source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found.filter((text) => /\p{L}{2}/u.test(text));
}
const GROUPS = ["kind", "category", "status", "source", "state", "action", "part", "tier", "count", "noun", "job", "scope", "entity", "predicate"];

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
    const codes = inPython(/\bcode="(\w{3,})"/g);
    expect(codes.length).toBeGreaterThan(20);
    const translated = Object.keys(en).filter((key) => key.startsWith("error.why.")).map((key) => key.slice("error.why.".length));
    expect(translated.sort()).toEqual(codes);
  });

  it("has words for every action that the server records", () => {
    const actions = inPython(/\baction="([A-Z]+)"/g, /\baudit\(\s*"([A-Z]+)"/g, /(?:write_transaction|record|Work|keep)\([^)"]*"([A-Z]+)"/g, /\bACTION = "([A-Z]+)"/g);
    expect(actions.length).toBeGreaterThan(35);
    expect(actions.filter((name) => !(`action.${name.toLowerCase()}` in en))).toEqual([]);
  });

  it("has words for every job, every predicate of the server and every value of a memory's fields", () => {
    const jobs = inPython(/enqueue\([^,]*,[^,]*,\s*"([a-z_]+)"/g, /^(?:\w*JOB|LEARN|THINK|NOTICE|REPLAY|READ_[A-Z]+) = "([a-z_]+)"/gm);
    expect(jobs.length).toBeGreaterThan(5);
    expect(jobs.filter((name) => !(`job.${name}` in en))).toEqual([]);
    const predicates = inPython(/^PREDICATES = tuple\(([^)]+)/gm)[0]!.match(/\w+_\w+|\w{3,}/g)!.filter((name) => name !== "split");
    expect(predicates.length).toBeGreaterThan(30);
    expect(predicates.filter((name) => !(`predicate.${name}` in en))).toEqual([]);
    const model = readFileSync(join(__dirname, "../../src/commonplace/model.py"), "utf8");
    for (const group of ["kind", "category", "status", "source"]) {
      const values = new RegExp(`^${group[0]!.toUpperCase()}${group.slice(1)} = Literal\\[([^\\]]+)\\]`, "m").exec(model)![1]!.match(/\w+/g)!;
      expect(values.length).toBeGreaterThan(4);
      expect(values.filter((name) => !(`${group}.${name}` in en))).toEqual([]);
    }
  });

  it("has words for every reason that the server gives", async () => {
    const reasons = inPython(/\breason(?:=| = | or )"([^"]+)"/g, /\btold="([^"]+)"/g, /\bkind="(faded[^"]*)"/g);
    expect(reasons.length).toBeGreaterThan(50);
    const varying = ["merged with 3 of the same value", "moved to work", "seen 4 times", "undone: back to version 2", "confidence 0.4 is below 0.5"];
    await showLanguage("de");
    expect([...reasons, ...varying].filter((reason) => because(reason) === reason)).toEqual([]);
    expect(because("because I moved")).toBe("because I moved");
    await showLanguage("en");
  });

  it("are all that a screen says: no text stands in the markup", () => {
    const names = ["Commonplace", "commonplace serve", "~/.config/commonplace/config.toml"];
    const texts = sources(join(__dirname, "../src"), /\.tsx$/).flatMap(untranslated);
    expect(texts).toContain("Commonplace"); // it does find what there is
    expect(texts.filter((text) => !names.includes(text))).toEqual([]);
    expect(untranslated('const A = () => <p title="Hello">World {"again"}</p>;')).toEqual(["Hello", "World", "again"]);
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

  it("says relations and reasons in the page's language", async () => {
    await showLanguage("de");
    expect(predicateWords("lives_in")).toBe("wohnt in");
    expect(predicateWords("grows_apples_for")).toBe("grows apples for");
    expect(because("undone: back to version 2")).toBe("rückgängig gemacht: zurück zu Version 2");
    expect(because("said again")).toBe("noch einmal gesagt");
    await showLanguage("en");
  });

  it("shows a value it does not know as it is", () => {
    expect(word("status", "verified")).toBe("verified");
    expect(word("state", "scrub pending")).toBe("deletion in progress");
    expect(word("kind", "something new")).toBe("something new");
  });
});
