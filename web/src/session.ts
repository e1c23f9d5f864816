/**
 * Who is signed in. A token is exchanged for a session of at most 12 hours: its secret is in an HttpOnly cookie that no
 * script can read. The page keeps only the CSRF value that belongs to the cookie, and when the session ends.
 */
import { tokenIn } from "./router";
import { store } from "./store";

export interface Session {
  csrf: string;
  expires_at: string;
}

const SESSION = "commonplace.session";
const NAMESPACE = "commonplace.namespace";
const OLD_TOKEN = "commonplace.token";
const RENEW_BEFORE_MS = 4 * 3_600_000;

/** `undefined` until it is known whether somebody is signed in. */
export const session = store<Session | null | undefined>(undefined);
export const namespace = store<string>("default");
/** Why the last sign-in failed: an HTTP status, or 0 when the server did not answer. */
export const signInFailure = store<number | null>(null);

const timeLeft = (current: Session): number => Date.parse(current.expires_at) - Date.now();

function saved(): Session | null {
  try {
    const found = JSON.parse(localStorage.getItem(SESSION) ?? "null") as Session | null;
    return found && timeLeft(found) > 0 ? found : null;
  } catch {
    return null;
  }
}

function keep(next: Session | null): void {
  if (next) localStorage.setItem(SESSION, JSON.stringify(next));
  else localStorage.removeItem(SESSION);
  session.set(next);
}

/** Exchange a token, or the current session, for a new session. Returns whether that worked. */
async function exchange(headers: Record<string, string>): Promise<boolean> {
  try {
    const answer = await fetch("/v1/session", { method: "POST", headers, cache: "no-store", credentials: "same-origin" });
    signInFailure.set(answer.ok ? null : answer.status);
    if (answer.ok) keep((await answer.json()) as Session);
    return answer.ok;
  } catch {
    signInFailure.set(0);
    return false;
  }
}

/** Sign in with a token, or with a whole sign-in link. */
export const signIn = (input: string): Promise<boolean> => exchange({ Authorization: `Bearer ${tokenFrom(input)}` });

export function tokenFrom(input: string): string {
  const text = input.trim();
  const hash = text.indexOf("#");
  return (hash >= 0 && tokenIn(text.slice(hash))) || text;
}

export async function renew(): Promise<void> {
  const current = session.get();
  if (current && timeLeft(current) < RENEW_BEFORE_MS) await exchange({ "X-CSRF-Token": current.csrf });
}

/** The server does not know this session any more. */
export const endSession = (): void => keep(null);

export function signOut(): void {
  const current = session.get();
  keep(null);
  if (current) void fetch("/v1/session", { method: "DELETE", headers: { "X-CSRF-Token": current.csrf }, credentials: "same-origin" }).catch(() => undefined);
}

/** Take the token of a sign-in link out of the address, before anything else sees it, and sign in with it. */
async function signInByLink(): Promise<boolean> {
  const token = tokenIn(location.hash);
  if (!token) return false;
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  const worked = await signIn(token);
  if (!worked && session.get() === undefined) keep(saved());
  return true;
}

export async function openSession(): Promise<void> {
  localStorage.removeItem(OLD_TOKEN);
  namespace.set(localStorage.getItem(NAMESPACE) ?? "default");
  window.addEventListener("hashchange", () => void signInByLink());
  window.addEventListener("storage", (event) => {
    if (event.key === SESSION) session.set(saved());
  });
  if (await signInByLink()) return;
  session.set(saved());
  await renew();
}

export function switchNamespace(name: string): void {
  localStorage.setItem(NAMESPACE, name);
  namespace.set(name);
}
