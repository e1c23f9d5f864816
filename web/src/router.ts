/** Addresses of the page: the part after `#`, so that any static server can deliver it. */

export type Params = Record<string, string | string[] | number | boolean | null | undefined>;

/** The address of a screen: `href(["memories", id])` or `href("memories", { kinds: ["core"] })`. */
export function href(path: string | string[], query: Params = {}): string {
  const parts = (typeof path === "string" ? [path] : path).filter(Boolean).map(encodeURIComponent);
  const parameters = search(query);
  return `#/${parts.join("/")}${parameters ? `?${parameters}` : ""}`;
}

/** Empty, null and absent values are left out; a list becomes a repeated name. */
export function search(query: Params): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== "" && item !== false) parameters.append(name, String(item));
    }
  }
  return parameters.toString();
}

/** The opposite of `search`: a name that is repeated becomes a list. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    found[name] = values.length > 1 ? values : values[0]!;
  }
  return found;
}

/** The token of a sign-in link (`#token=…`), if the address has one. */
export function tokenIn(hash: string): string | null {
  const token = /^#\/?\??token=([^&\s]+)/.exec(hash)?.[1];
  if (!token) return null;
  try {
    return decodeURIComponent(token);
  } catch {
    return token; // a lone % typed by hand
  }
}
