import js from "@eslint/js";
import a11y from "eslint-plugin-jsx-a11y";
import hooks from "eslint-plugin-react-hooks";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules", "dist"] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}", "tests/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks, "jsx-a11y": a11y },
    rules: {
      ...a11y.flatConfigs.recommended.rules,
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Memory text is untrusted: text nodes only." },
        { property: "outerHTML", message: "Memory text is untrusted: text nodes only." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Memory text is untrusted: text nodes only.",
        },
      ],
      // What scrolls must take the focus, or the keyboard cannot scroll it.
      "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: [], roles: ["tabpanel", "region"] }],
      // Control characters are what the text room looks for.
      "no-control-regex": "off",
      "no-eval": "error",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["*.config.js"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", setInterval: "readonly", setTimeout: "readonly", clearInterval: "readonly", Buffer: "readonly" } },
  },
);
