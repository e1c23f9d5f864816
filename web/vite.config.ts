import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../src/commonplace/interfaces/web/static",
    emptyOutDir: true,
    target: "es2022",
    // The policy allows no inline anything, and a data: script would be one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: { proxy: { "/v1": "http://127.0.0.1:8765" } },
  test: { include: ["tests/**/*.test.{ts,tsx}"], environment: "node" },
});
