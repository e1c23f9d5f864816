import { tokenIn } from "./router";
import { store } from "./store";

const TOKEN = "commonplace.token";
const NAMESPACE = "commonplace.namespace";

export const token = store<string | null>(null);
export const namespace = store<string>("default");

/** Take the token of a sign-in link out of the address before anything else can see it, else the one kept. */
export function openSession(): void {
  const linked = tokenIn(location.hash);
  if (linked) {
    localStorage.setItem(TOKEN, linked);
    history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  }
  token.set(linked ?? localStorage.getItem(TOKEN));
  namespace.set(localStorage.getItem(NAMESPACE) ?? "default");
}

export function signIn(given: string): void {
  localStorage.setItem(TOKEN, given);
  token.set(given);
}

export function signOut(): void {
  localStorage.removeItem(TOKEN);
  token.set(null);
}

export function switchNamespace(name: string): void {
  localStorage.setItem(NAMESPACE, name);
  namespace.set(name);
}
