import { describe, expect, it } from "vitest";
import { similar } from "../src/text/similar";

const texts = [
  "Vidar is allergic to peanuts",
  "Sofia lives in Malmö",
  "Vidar has a peanut allergy",
  "The invoice of the bakery is unpaid",
  "Priya works from home on Thursdays",
  "Vidar must not eat peanuts",
  "The bridge is closed in February",
  "Karin takes the dog to Borås",
  "Elias wants the blue headphones",
];
const about = [texts[0], texts[2], texts[5]];

describe("similar", () => {
  it("groups what shares its rare words and names the group by them", () => {
    const { groups, rest } = similar(texts, (text) => text);
    expect(groups).toHaveLength(1);
    expect(groups[0]!.items).toEqual(about);
    expect(groups[0]!.words).toContain("peanuts");
    expect(rest).toEqual(texts.filter((text) => !about.includes(text)));
  });
  it("does not group by words that stand in most texts, in any language", () => {
    const { groups } = similar(["Der Zug ist spät", "Der Kuchen ist gut", "Der Hund ist alt", "Der Weg ist weit"], (text) => text);
    expect(groups).toEqual([]);
  });
  it("copes with nothing, with the same text twice and with texts without words", () => {
    expect(similar([], String)).toEqual({ groups: [], rest: [] });
    expect(similar(["Same words here", "Same words here", "…"], String).groups[0]!.items).toHaveLength(2);
  });
});
