import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import es from "../src/i18n/es.json";
import fr from "../src/i18n/fr.json";
import it_ from "../src/i18n/it.json";
import { choose, fill, spoken, t, tn, word } from "../src/i18n";

const TABLES: Record<string, Record<string, string>> = { en, it: it_, es, fr, de };

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) ? [readFileSync(path, "utf8")] : [];
  });
}

const CODE = sources(join(__dirname, "../src")).join("\n");
const GROUPS = ["kind", "category", "status", "source", "state", "action", "part", "tier"];

/** Is a key asked for anywhere: as it is, as a plural, through a template, or as the word of a value? */
function used(key: string, code: string): boolean {
  if (code.includes(`"${key}"`)) return true;
  const base = key.replace(/\.(one|other)$/, "");
  if (base !== key && code.includes(`"${base}"`)) return true;
  if (GROUPS.some((group) => key.startsWith(`${group}.`) && code.includes(`word("${group}"`))) return true;
  return [...code.matchAll(/\btn?\(`([^`]+)`/g)].some(([, template]) => {
    const pattern = template!.split(/\$\{[^}]+\}/).map((part) => part.replace(/[.]/g, "\\.")).join("\\w+");
    return new RegExp(`^${pattern}(\\.(one|other))?$`).test(key);
  });
}

describe("the five languages", () => {
  for (const [language, table] of Object.entries(TABLES)) {
    it(`${language} has every key, no other, and no empty word`, () => {
      expect(Object.keys(table).sort()).toEqual(Object.keys(en).sort());
      expect(Object.entries(table).filter(([, words]) => !words.trim())).toEqual([]);
    });

    it(`${language} keeps the places where values go`, () => {
      const places = (words: string) => (words.match(/\{\w+\}/g) ?? []).sort();
      for (const [key, words] of Object.entries(en)) expect([key, places(table[key]!)]).toEqual([key, places(words)]);
    });
  }

  it("has no key that nothing asks for", () => {
    expect(Object.keys(en).filter((key) => !used(key, CODE))).toEqual([]);
  });

  it("would notice a key that nothing asks for", () => {
    expect(used("home.never_asked", CODE)).toBe(false);
    expect(used("home.title", CODE)).toBe(true);
  });

  it("has every key that is asked for", () => {
    const asked = [...CODE.matchAll(/\bt\("([^"]+)"/g)].map(([, key]) => key!);
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.filter((key) => !(key in en))).toEqual([]);
  });

  it("has both forms of every plural", () => {
    for (const key of Object.keys(en)) {
      if (key.endsWith(".one")) expect(en).toHaveProperty([key.replace(/one$/, "other")]);
      if (key.endsWith(".other")) expect(en).toHaveProperty([key.replace(/other$/, "one")]);
    }
  });

  it("are really translated", () => {
    const same = (table: Record<string, string>) => Object.entries(table).filter(([key, words]) => words === en[key as keyof typeof en]).length;
    for (const table of [it_, es, fr, de]) expect(same(table)).toBeLessThan(Object.keys(en).length / 8);
  });

  it("each has its own word for the danger zone, in capitals", () => {
    const all = Object.values(TABLES).map((table) => table["danger.word"]!);
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
  it("fills in values and leaves unknown places alone", () => {
    expect(fill("{a} of {b} and {c}", { a: 1, b: "x" })).toBe("1 of x and {c}");
    expect(fill("{a}", { a: "$&{b}" })).toBe("$&{b}");
  });

  it("counts as the language does", () => {
    expect(tn("memories.count", 1)).toBe("1 memory");
    expect(tn("memories.count", 12345)).toBe("12,345 memories");
    spoken.set({ language: "de", table: de });
    expect(tn("memories.count", 12345)).toBe("12.345 Erinnerungen");
    expect(t("save")).toBe("Speichern");
    spoken.set({ language: "fr", table: fr });
    expect(tn("memories.count", 0)).toBe("0 souvenir");
    spoken.set({ language: "en", table: en });
  });

  it("shows a value it does not know as it is", () => {
    expect(word("status", "verified")).toBe("verified");
    expect(word("state", "scrub pending")).toBe("scrub pending");
    expect(word("kind", "something new")).toBe("something new");
  });
});
