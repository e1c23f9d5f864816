import { describe, expect, it } from "vitest";
import { momentAt, stepAt } from "../src/parts/Clocks";
import { ceiling, daysBetween } from "../src/charts/scale";

describe("the two clocks", () => {
  it("the right end of the slider is now, which is no moment", () => {
    expect(momentAt(500, 0, 1000)).toBeNull();
    expect(stepAt(null, 0, 1000)).toBe(500);
  });

  it("a place on the slider comes back as it was", () => {
    const [since, until] = [Date.parse("2025-01-01"), Date.parse("2026-01-01")];
    for (const step of [0, 1, 250, 499]) expect(stepAt(momentAt(step, since, until), since, until)).toBe(step);
    expect(momentAt(0, since, until)).toBe("2025-01-01T00:00:00.000Z");
    expect(stepAt("1990-01-01T00:00:00Z", since, until)).toBe(0);
  });
});

describe("axes", () => {
  it("end at a round number above what is shown", () => {
    expect([0, 3, 5, 11, 99, 101, 25_000].map(ceiling)).toEqual([4, 4, 6, 20, 100, 200, 40_000]);
  });

  it("have one place a day, both ends included", () => {
    expect(daysBetween(new Date("2026-02-27T15:00:00Z"), new Date("2026-03-01T01:00:00Z"))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  });
});
