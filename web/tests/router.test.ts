import { describe, expect, it } from "vitest";
import { href, parse, search, tokenIn } from "../src/router";

describe("the address", () => {
  it("is read into a path and a query", () => {
    const place = parse("#/memories/m%2F1?kinds=core&kinds=episodic&q=a%20b");
    expect(place.path).toEqual(["memories", "m/1"]);
    expect(place.query.getAll("kinds")).toEqual(["core", "episodic"]);
    expect(place.query.get("q")).toBe("a b");
  });

  it("is home when empty, and survives nonsense", () => {
    for (const hash of ["", "#", "#/"]) expect(parse(hash).path).toEqual([]);
    expect(parse("#/%E0%A4%A").path).toEqual(["%E0%A4%A"]);
  });

  it("comes back as it was made", () => {
    const made = href(["notebook", "a/b c.md"], { q: "x&y", tags: ["one", "two"], none: null, empty: "" });
    const place = parse(made);
    expect(place.path).toEqual(["notebook", "a/b c.md"]);
    expect([...place.query]).toEqual([["q", "x&y"], ["tags", "one"], ["tags", "two"]]);
  });

  it("leaves out what says nothing", () => {
    expect(search({ a: "", b: null, c: undefined, d: [], e: false })).toBe("");
    expect(search({ n: 0, yes: true })).toBe("n=0&yes=true");
  });

  it("gives the token of a sign-in link, and only of one", () => {
    expect(tokenIn("#token=abc%2Fdef")).toBe("abc/def");
    expect(tokenIn("#/?token=abc")).toBe("abc");
    expect(tokenIn("#/memories?token=abc")).toBeNull();
    expect(tokenIn("#/")).toBeNull();
  });
});
