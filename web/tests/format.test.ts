import { afterEach, describe, expect, it } from "vitest";
import { ago, bytes, date, day, number, percent } from "../src/format";
import { language, regional } from "../src/i18n";

const NOW = Date.parse("2026-03-14T12:00:00Z");
afterEach(() => language.set("en"));
const plain = (text: string) => text.replace(/\s/g, " ");

describe("dates and numbers", () => {
  it("follow the language of the page", () => {
    expect([number(12345.5), plain(percent(0.5)), date("2026-03-14T12:00:00Z")]).toEqual(["12,345.5", "50%", "Mar 14, 2026"]);
    language.set("de");
    expect([number(12345.5), plain(percent(0.5)), date("2026-03-14T12:00:00Z")]).toEqual(["12.345,5", "50 %", "14.03.2026"]);
  });

  it("follow the browser's own variant of that language", () => {
    expect(regional(["fr-CA", "en-GB", "en"])).toBe("en-GB");
    language.set("de");
    expect([regional(["en-GB", "de-AT"]), regional(["en-GB"])]).toEqual(["de-AT", "de"]);
  });

  it("say how long ago something was", () => {
    expect(ago("2026-03-14T11:59:30Z", NOW)).toBe("30 seconds ago");
    expect(ago("2026-03-14T09:00:00Z", NOW)).toBe("3 hours ago");
    expect(ago("2026-03-13T12:00:00Z", NOW)).toBe("yesterday");
    expect(ago("2026-03-16T12:00:00Z", NOW)).toBe("in 2 days");
    expect(ago("2024-03-14T12:00:00Z", NOW)).toBe("2 years ago");
    language.set("de");
    expect(ago("2026-03-14T09:00:00Z", NOW)).toBe("vor 3 Stunden");
  });

  it("keep a calendar day where it is, whatever the time zone", () => {
    expect(day("2026-03-14")).toBe("Saturday, March 14, 2026");
    expect(day("2026-03-14T00:00:00Z")).toBe("Saturday, March 14, 2026");
  });

  it("show what is no date as it came", () => {
    expect(date("soon")).toBe("soon");
    expect(ago("soon", NOW)).toBe("soon");
  });

  it("write sizes in the unit that fits", () => {
    expect(bytes(0)).toBe("0 bytes");
    expect(bytes(1500)).toBe("1.5 kB");
    expect(bytes(23_000_000)).toBe("23 MB");
  });
});
