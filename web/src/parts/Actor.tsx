import { call } from "../api/client";
import { useResource } from "../api/query";
import type { Me, Page, Token } from "../api/types";
import { isKey, t, type Key } from "../i18n";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";

/** Who did something, by a name a person knows: "You", the name of a token, or the part of the program. */
export function Actor({ actor }: { actor: string }) {
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const admin = me.data?.scopes.includes("admin") ?? false;
  const tokens = useResource(admin ? "tokens" : "no-tokens", (signal) => (admin ? call<Page<Token>>("GET", "/v1/tokens", { signal, bare: true }) : Promise.resolve({ items: [], next: null })));
  return <Plain text={actorName(actor, me.data?.token ?? null, tokens.data?.items ?? [], me.data?.owner)} />;
}

/** Parts of the program that a person uses by hand. */
const BY_HAND = ["page", "owner", "cli"];

/** `rest:ID` and `page:ID` name a token or session; others are a part of the program, such as `hook` or `import:mem0`. */
export function actorName(actor: string, own: string | null, tokens: readonly Token[], me?: string): string {
  const [part, id = ""] = [actor.split(":")[0]!, actor.slice(actor.indexOf(":") + 1)];
  if (id !== actor && part !== "page" && !isKey(`actor.${part}`)) {
    // In a shared namespace the person stands first: `ben:page:ID`.
    const inner = actorName(id, own, tokens);
    if (part === me) return inner;
    return BY_HAND.includes(id.split(":")[0]!) ? part : t("actor.of", { person: part, by: isKey(`actor.${id.split(":")[0]!}`) ? t(`actor.${id.split(":")[0]!}` as Key) : inner });
  }
  const token = tokens.find((known) => known.id === id);
  if (id === own || part === "page" || part === "owner" || token?.session || token?.link) return t("actor.you");
  if (token?.name) return token.name;
  if (token?.person) return t("actor.you");
  const key = `actor.${part}`;
  if (!isKey(key)) return cut(actor, 60);
  return part === "import" && actor.includes(":") ? `${t(key)} (${id})` : t(key);
}
