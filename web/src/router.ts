import { store, useStore } from "./store";

/** Where the page stands, read from the part of the address after `#`. */
export interface Place {
  path: string[];
  query: URLSearchParams;
}

export function parse(hash: string): Place {
  const bare = hash.replace(/^#?\/?/, "");
  const mark = bare.indexOf("?");
  const path = mark < 0 ? bare : bare.slice(0, mark);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: new URLSearchParams(mark < 0 ? "" : bare.slice(mark + 1)),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone % typed by hand
  }
}

export type Params = Record<string, string | string[] | number | boolean | null | undefined>;

/** The address of a place: `href("memories", id)` or `href(["memories"], { kinds: ["core"] })`. */
export function href(path: string | string[], query: Params = {}): string {
  const parts = (typeof path === "string" ? [path] : path).filter(Boolean).map(encodeURIComponent);
  const asked = search(query);
  return `#/${parts.join("/")}${asked ? `?${asked}` : ""}`;
}

/** Empty, null and absent values are left out; a list becomes a repeated name. */
export function search(query: Params): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) out.append(name, String(one));
    }
  }
  return out.toString();
}

/** The token of a sign-in link (`#token=…`), if the address holds one. */
export function tokenIn(hash: string): string | null {
  const found = /^#\/?\??token=([^&]+)/.exec(hash);
  return found ? decode(found[1]!) : null;
}

const place = store<Place>(parse(typeof location === "undefined" ? "" : location.hash));

if (typeof window !== "undefined") {
  window.addEventListener("hashchange", () => place.set(parse(location.hash)));
}

export const usePlace = (): Place => useStore(place);

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") location.hash = to;
  else {
    history.replaceState(null, "", to);
    place.set(parse(to));
  }
}
