import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "../src/text/Markdown";
import { safeLink } from "../src/text/markdown";

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe("Markdown", () => {
  it("draws what people write in notebooks", () => {
    const out = html("# Title\n\nSome *soft* and **strong** words, `code` and ~~gone~~.\n\n- one\n- two\n  - inner\n\n1. first\n\n> said\n\n---\n\n```\nlet x = 1;\n```\n");
    for (const part of ["<h2>", "<em>", "<strong>", "<code>", "<del>", "<ul>", "<ol start=\"1\">", "<blockquote>", "<hr/>", "<pre"]) expect(out).toContain(part);
  });

  it("draws tables and tasks", () => {
    const out = html("| date | why |\n|---|---|\n| 1 May | a \\| b |\n\n- [x] done\n- [ ] open\n");
    expect(out).toContain('<th scope="col">');
    expect(out).toContain("a | b");
    expect(out.match(/class="task"/g)).toHaveLength(2);
  });

  it("knows nested lists, escapes and ends of lines", () => {
    expect(html("- a\n  - b\n- c")).toContain("<ul><li><div><p>");
    expect(html("\\*not soft\\*")).toContain("*not soft*");
    expect(html("a  \nb")).toContain("<br/>");
    expect(html("snake_case_name")).not.toContain("<em>");
  });
});

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<a href='javascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java&#115;cript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](vbscript:msgbox)",
  "[x](//evil.example)",
  "[x](/local)",
  "![x](https://evil.example/track.png)",
  "<javascript:alert(1)>",
  "`<img src=x onerror=alert(1)>`",
  "```\n</code></pre><script>alert(1)</script>\n```",
  "| <b onclick=alert(1)>x</b> | y |\n|---|---|\n| z | w |",
  "[![x](javascript:alert(1))](javascript:alert(2))",
  "# <style>*{display:none}</style>",
  "[a](https://ok.example \"onmouseover=alert(1)\")",
];

describe("hostile Markdown", () => {
  for (const attack of ATTACKS) {
    it(`is inert: ${JSON.stringify(attack).slice(0, 60)}`, () => {
      const out = html(attack);
      expect(out).not.toMatch(/<(script|img|style|iframe|svg|object|b|input)\b/i);
      expect(out).not.toMatch(/<[^>]*\son\w+=/i);
      for (const [, to] of out.matchAll(/href="([^"]*)"/g)) expect(to).toMatch(/^(https?:\/\/|mailto:)/);
    });
  }

  it("keeps a good link, opened without a way back", () => {
    const out = html("[docs](https://ok.example/a?b=1) and <https://two.example> and https://three.example.");
    expect(out.match(/href="https:/g)).toHaveLength(3);
    expect(out.match(/rel="noopener noreferrer nofollow"/g)).toHaveLength(3);
  });

  it("allows three schemes and nothing else", () => {
    expect(safeLink("https://a.example")).toBe("https://a.example");
    expect(safeLink("mailto:ada@example.org")).toBe("mailto:ada@example.org");
    for (const bad of ["javascript:alert(1)", "java\nscript:alert(1)", " javascript:x", "data:text/html,x", "file:///etc/passwd", "//x", "#x", ""]) expect(safeLink(bad)).toBeNull();
  });

  it("neither hangs nor overflows on what is made to hurt parsers", () => {
    for (const text of ["[".repeat(20_000), "*".repeat(20_000), "`".repeat(20_000), "> ".repeat(3000) + "x", "- ".repeat(3000) + "x", "_a".repeat(20_000), "**a".repeat(10_000), "[a](".repeat(8000), "|".repeat(20_000), "~~a".repeat(10_000)]) {
      const from = performance.now();
      html(text);
      expect(performance.now() - from).toBeLessThan(20_000); // not a speed test: an endless loop would never come back
    }
  });
});
