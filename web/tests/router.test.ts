import { describe, expect, it } from "vitest";
import { href, parseSearch, search, tokenIn } from "../src/router";
import { tokenFrom } from "../src/session";

describe("the address", () => {
  it("keeps names and values as they were", () => {
    const address = href(["notebook", "a/b c.md"], { q: "x&y", tags: ["one", "two"], none: null, empty: "" });
    expect(address).toBe("#/notebook/a%2Fb%20c.md?q=x%26y&tags=one&tags=two");
    expect(parseSearch(address.split("?")[1]!)).toEqual({ q: "x&y", tags: ["one", "two"] });
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
    expect(tokenIn("#token=%E0%A4%A")).toBe("%E0%A4%A");
  });

  it("takes a whole link or a token where one signs in", () => {
    expect(tokenFrom(" http://127.0.0.1:8765/#token=cpl_abc ")).toBe("cpl_abc");
    expect(tokenFrom("cpl_abc")).toBe("cpl_abc");
  });
});
