import { compileMessage } from "@lingui/message-utils/compileMessage";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Compiles the ICU messages of `src/i18n/*.json` when the page is built, so that the page needs no parser. */
const messages: Plugin = {
  name: "messages",
  enforce: "pre",
  transform(source, id) {
    if (!/\/src\/i18n\/\w+\.json$/.test(id)) return null;
    const table = JSON.parse(source) as Record<string, string>;
    const compiled = Object.fromEntries(Object.entries(table).map(([key, words]) => [key, compileMessage(words)]));
    return { code: `export default ${JSON.stringify(compiled)}`, map: null, moduleType: "js" };
  },
};

export default defineConfig({
  base: "./",
  plugins: [messages, react()],
  build: {
    outDir: "../src/commonplace/interfaces/web/static",
    emptyOutDir: true,
    target: "es2022",
    // The content security policy allows nothing inline, and a data: script is inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: { proxy: { "/v1": "http://127.0.0.1:8765" } },
  test: { include: ["tests/**/*.test.{ts,tsx}"], environment: "node" },
});
