import { describe, expect, it } from "vitest";
import { diff } from "../src/text/diff";
import { cut, highlight, pieces } from "../src/text/plain";

const side = (parts: ReturnType<typeof diff>, without: "gone" | "new") => parts.filter((one) => one.kind !== without).map((one) => one.text).join("");

describe("the word diff", () => {
  it("says which words went and which came", () => {
    expect(diff("The clinic is in Via Roma 41", "The clinic is in Via Roma 14")).toEqual([
      { text: "The clinic is in Via Roma ", kind: "same" },
      { text: "41", kind: "gone" },
      { text: "14", kind: "new" },
    ]);
  });

  it("keeps neighbouring changed words together instead of making confetti", () => {
    const parts = diff("Ada likes slow night trains", "Ada likes fast day trains");
    expect(parts.map((one) => one.kind)).toEqual(["same", "gone", "new", "same"]);
    expect(parts[1]!.text).toBe("slow night");
    expect(parts[2]!.text).toBe("fast day");
  });

  it("gives back both texts, whatever they are", () => {
    const texts = ["", "a", "a b c", "c b a", "  spaces  and\nlines\n", "日本語 と English", "x".repeat(500), "1, 2, 3. Four!", "a b a b a"];
    for (const before of texts) {
      for (const after of texts) {
        const parts = diff(before, after);
        expect(side(parts, "new")).toBe(before);
        expect(side(parts, "gone")).toBe(after);
      }
    }
  });

  it("finds nothing to say about equal texts", () => {
    expect(diff("same words", "same words")).toEqual([{ text: "same words", kind: "same" }]);
    expect(diff("", "")).toEqual([]);
  });

  it("does not choke on two long texts without a common word", () => {
    const long = (word: string) => Array.from({ length: 4000 }, (_, at) => `${word}${at}`).join(" ");
    const parts = diff(long("a"), long("b"));
    expect(side(parts, "new")).toBe(long("a"));
  });
});

describe("untrusted text", () => {
  it("makes marks that turn or hide text visible", () => {
    expect(pieces("pay \u202Eevil\u202C now")).toEqual([{ text: "pay " }, { mark: "U+202E" }, { text: "evil" }, { mark: "U+202C" }, { text: " now" }]);
    expect(pieces("a\u200Bb\u0007")).toEqual([{ text: "a" }, { mark: "U+200B" }, { text: "b" }, { mark: "U+0007" }]);
    expect(pieces("\u{E0041}")).toEqual([{ mark: "U+E0041" }]);
  });

  it("leaves ordinary text of any script alone", () => {
    for (const text of ["Plain.", "tab\tand\nline", "שלום", "مرحبا", "naïve café", "👩‍🌾 farmer"]) expect(pieces(text)).toEqual([{ text }]);
  });

  it("cuts without breaking a character", () => {
    expect(cut("abcdef", 3)).toBe("abc");
    expect(cut("ab", 3)).toBe("ab");
    expect(cut("a😀b", 2)).toBe("a");
    expect(cut("x".repeat(1_000_000), 1200)).toHaveLength(1200);
  });
});

describe("highlighting", () => {
  const hits = (text: string, words: string[]) => highlight(text, words).filter((one) => one.hit).map((one) => one.text);

  it("marks the words of the question, whatever their case, accents or endings", () => {
    expect(hits("Ada planned the Café visit", ["cafe", "planning"])).toEqual(["planned", "Café"]);
  });

  it("marks whole words only, and nothing for an empty question", () => {
    expect(hits("The cat concatenates", ["cat"])).toEqual(["cat"]);
    expect(highlight("text", [])).toEqual([{ text: "text", hit: false }]);
    expect(hits("text", ["", "?"])).toEqual([]);
  });

  it("loses no character", () => {
    const text = "One, two; three – and four.";
    expect(highlight(text, ["two", "four"]).map((one) => one.text).join("")).toBe(text);
  });
});
