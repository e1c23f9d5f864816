/** How the page looks: kept in this browser, never in the book. */
import { store } from "./store";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const LAYOUTS = ["comfortable", "compact"] as const;
export type Layout = (typeof LAYOUTS)[number];

const kept = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T => {
  const value = typeof localStorage === "undefined" ? null : localStorage.getItem(`commonplace.${name}`);
  return allowed.includes(value as T) ? (value as T) : otherwise;
};

export const theme = store<Theme>(kept("theme", THEMES, "system"));
export const layout = store<Layout>(kept("layout", LAYOUTS, "comfortable"));

export function setTheme(next: Theme): void {
  localStorage.setItem("commonplace.theme", next);
  theme.set(next);
  applyDisplay();
}

export function setLayout(next: Layout): void {
  localStorage.setItem("commonplace.layout", next);
  layout.set(next);
  applyDisplay();
}

export function applyDisplay(): void {
  const root = document.documentElement;
  if (theme.get() === "system") root.removeAttribute("data-theme");
  else root.dataset.theme = theme.get();
  root.dataset.layout = layout.get();
}
