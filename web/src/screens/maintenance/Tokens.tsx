import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/query";
import type { Me, Namespace, Page, Token } from "../../api/types";
import { t, word } from "../../i18n";
import { Badge, Card, Field, When } from "../../parts/bits";
import { confirm, Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icons";
import { complain, tell } from "../../parts/notices";
import { Empty, Show } from "../../parts/states";
import { Plain } from "../../text/Plain";

const SCOPES = ["read", "write", "admin"] as const;

/** What a token is for: its name, or what it was made by. */
const nameOf = (token: Token): string => token.name || (token.session ? t("tokens.session") : token.link ? t("tokens.link") : t("tokens.unnamed"));

/** Tokens and sessions. A token's secret is shown once and stored only as a hash. */
export function Tokens() {
  const tokens = useResource("tokens", (signal) => call<Page<Token>>("GET", "/v1/tokens", { signal, bare: true }));
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const revoke = async (one: Token) => {
    if (!(await confirm(t("tokens.revoke"), <p><Plain text={nameOf(one)} /></p>, { yes: t("tokens.revoke"), danger: true }))) return;
    try {
      await call("DELETE", `/v1/tokens/${part(one.id)}`, { bare: true });
      tell(t("tokens.revoked"));
      tokens.reload();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Card title={t("tokens.title")} action={<button type="button" onClick={() => setMaking(true)}><Icon name="plus" size={18} /> {t("tokens.make")}</button>}>
      {secret && (
        <div className="receipt" role="status">
          <p>{t("tokens.once")}</p>
          <div className="row tight">
            <input readOnly className="grow mono" value={secret} aria-label={t("tokens.secret")} onFocus={(event) => event.target.select()} />
            <button type="button" onClick={() => void navigator.clipboard.writeText(secret).then(() => tell(t("copied")), complain)}>{t("copy")}</button>
            <button type="button" className="icon-button" aria-label={t("close")} onClick={() => setSecret(null)}><Icon name="close" /></button>
          </div>
        </div>
      )}
      <Show of={tokens} rows={3} height={44}>
        {({ items }) =>
          items.length ? (
            <table className="rows cards-narrow">
              <thead>
                <tr>
                  <th scope="col">{t("name")}</th>
                  <th scope="col">{t("tokens.scopes")}</th>
                  <th scope="col">{t("tokens.where")}</th>
                  <th scope="col">{t("tokens.made")}</th>
                  <th scope="col">{t("tokens.used")}</th>
                  <th scope="col">{t("about.expires")}</th>
                  <th scope="col"><span className="visually-hidden">{t("actions")}</span></th>
                </tr>
              </thead>
              <tbody>
                {[...items].sort((a, b) => (a.created_at < b.created_at ? 1 : -1)).map((one) => (
                  <tr key={one.id}>
                    <td data-label={t("name")}><span className="row tight"><Plain text={nameOf(one)} /> {one.id === me.data?.token && <Badge tone="accent">{t("tokens.you")}</Badge>}</span></td>
                    <td data-label={t("tokens.scopes")}><span className="row tight">{one.scopes.map((scope) => <Badge key={scope}>{word("scope", scope)}</Badge>)}{one.person && <Badge tone="accent">{t("tokens.by_person")}</Badge>}</span></td>
                    <td data-label={t("tokens.where")}>{one.namespaces.length ? <Plain text={one.namespaces.join(", ")} /> : <span className="muted">{t("tokens.everywhere")}</span>}</td>
                    <td data-label={t("tokens.made")} className="muted small"><When at={one.created_at} /></td>
                    <td data-label={t("tokens.used")} className="muted small" title={t("tokens.used_what")}>{one.last_used_at ? <When at={one.last_used_at} /> : "–"}</td>
                    <td data-label={t("about.expires")} className="muted small">{one.expires_at ? <When at={one.expires_at} /> : t("tokens.never")}</td>
                    <td className="end">{one.revoked_at ? <Badge tone="bad">{t("tokens.revoked")}</Badge> : <button type="button" className="quiet" onClick={() => void revoke(one)}>{t("tokens.revoke")}</button>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <Empty icon="key" title={t("tokens.none")} />
          )
        }
      </Show>
      {making && <Make onClose={() => setMaking(false)} onMade={(made) => { setMaking(false); setSecret(made); tokens.reload(); }} />}
    </Card>
  );
}

function Make({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read"]);
  const [expires, setExpires] = useState("");
  const [person, setPerson] = useState(false);
  const [namespaces, setNamespaces] = useState<readonly string[]>([]);
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }));
  const make = async () => {
    try {
      const body = { name: name.trim(), scopes, person, namespaces, ...(expires ? { expires_at: `${expires}T23:59:59Z` } : {}) };
      onMade((await call<{ secret: string }>("POST", "/v1/tokens", { body, bare: true })).secret);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog title={t("tokens.make")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Field label={t("name")}>{(id) => <input id={id} required value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <Choice label={t("tokens.scopes")} options={SCOPES} words={(scope) => word("scope", scope)} chosen={scopes} onChange={setScopes} />
        <Choice label={t("tokens.only")} options={spaces.data?.items.map((one) => one.name) ?? []} chosen={namespaces} onChange={setNamespaces} />
        <label className="row tight">
          <input type="checkbox" checked={person} onChange={(event) => setPerson(event.target.checked)} />
          {t("tokens.person")}
        </label>
        <Field label={t("about.expires")}>{(id) => <input id={id} type="date" value={expires} onChange={(event) => setExpires(event.target.value)} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={!name.trim() || !scopes.length}>{t("tokens.make")}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Choice({ label, options, words, chosen, onChange }: { label: string; options: readonly string[]; words?: (option: string) => string; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void }) {
  return (
    <fieldset className="chips">
      <legend>{label}</legend>
      <div className="row tight">
        {options.map((one) => (
          <label key={one} className="chip">
            <input type="checkbox" checked={chosen.includes(one)} onChange={(event) => onChange(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))} />
            <Plain text={words ? words(one) : one} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
