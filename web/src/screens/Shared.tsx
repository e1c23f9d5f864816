import { useState } from "react";
import { call, part, Problem } from "../api/client";
import { queryClient, useResource, type Resource } from "../api/query";
import type { Invitation, Me, Member, Namespace, Page, SharedNamespace } from "../api/types";
import { moment } from "../format";
import { t } from "../i18n";
import { Badge, Card, Field, Screen, Segments, When } from "../parts/bits";
import { Copy } from "../parts/Copy";
import { confirm, Dialog } from "../parts/dialog";
import { errorText } from "../parts/errors";
import { Icon } from "../parts/icons";
import { complain, tell } from "../parts/notices";
import { Empty, Show } from "../parts/states";
import { namespace, switchNamespace } from "../session";
import { useStore } from "../store";
import { Plain } from "../text/Plain";
import { AuditLines } from "./maintenance/Audit";

const ROLES = ["reader", "writer", "admin"] as const;
type Role = (typeof ROLES)[number];
const RULES = ["stays", "goes"] as const;
type Rule = (typeof RULES)[number];
/** Namespaces that are one person's alone. */
const OWN = ["personal", "default"];
const PLAN = "team";

const role = (name: string): string => (ROLES.includes(name as Role) ? t(`shared.role_${name as Role}`) : name);
const rule = (name: string): string => (RULES.includes(name as Rule) ? t(`shared.rule_${name as Rule}`) : name);

type List = Resource<Page<SharedNamespace>>;

/** Namespaces shared with other people: who is a member, who is invited, and what was done. */
export function Shared() {
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const list = useResource("shared", (signal) => call<Page<SharedNamespace>>("GET", "/v1/shared", { signal, bare: true }), ["namespace"]);
  const [open, setOpen] = useState<"share" | "join" | null>(null);
  const reload = () => {
    setOpen(null);
    void queryClient.invalidateQueries();
  };
  const allowed = me.data?.plan === PLAN;
  const actions = (
    <>
      <button type="button" onClick={() => setOpen("join")}>{t("shared.join")}</button>
      <button type="button" className="primary" onClick={() => setOpen("share")}><Icon name="plus" size={18} /> {t("shared.share")}</button>
    </>
  );
  return (
    <Screen title={t("nav.shared")} lead={t("shared.lead")} action={allowed && actions}>
      {me.data && !allowed && (
        <Card>
          <div className="upgrade">
            <Icon name="key" size={28} />
            <p className="state-title">{t("shared.upgrade")}</p>
          </div>
        </Card>
      )}
      <Show of={list} rows={2} height={160}>
        {({ items }) =>
          items.length ? (
            items.map((shared) => <SharedCard key={shared.name} shared={shared} list={list} me={me.data?.owner ?? ""} />)
          ) : (
            <Empty icon="people" title={t("shared.none")}>{t("shared.none_how")}</Empty>
          )
        }
      </Show>
      {open === "share" && <ShareDialog taken={list.data?.items ?? []} onClose={reload} />}
      {open === "join" && <JoinDialog onClose={() => setOpen(null)} onJoined={reload} />}
    </Screen>
  );
}

interface CardProps {
  shared: SharedNamespace;
  list: List;
  me: string;
}

function SharedCard({ shared, list, me }: CardProps) {
  const here = useStore(namespace);
  const [inviting, setInviting] = useState(false);
  const [transferring, setTransferring] = useState(false);
  const { name } = shared;
  const path = `/v1/shared/${part(name)}`;
  const admin = shared.role === "admin";
  const others = shared.members.filter(({ person }) => person !== me);
  const last = admin && !others.some((member) => member.role === "admin");
  const run = async (work: () => Promise<unknown>, words: string) => {
    try {
      await work();
      tell(words);
      list.reload();
    } catch (error) {
      complain(error);
    }
  };
  const gone = () => {
    if (here === name) switchNamespace("default");
    void queryClient.invalidateQueries();
  };
  const leave = async () => {
    if (!(await confirm(t("shared.leave_title", { name }), <p>{shared.rule ? rule(shared.rule) : t("shared.former")}</p>, { yes: t("shared.leave"), danger: true }))) return;
    await run(() => call("POST", `${path}/leave`, { bare: true }), t("shared.left"));
    gone();
  };
  const erase = async () => {
    if (!(await confirm(t("shared.delete_title", { name }), <p>{t("shared.delete_what")}</p>, { yes: t("delete"), danger: true }))) return;
    await run(() => call("DELETE", path, { headers: { "X-Confirm": "true" }, bare: true }), t("namespaces.deleted"));
    gone();
  };
  const remove = async ({ person }: Member) => {
    if (!(await confirm(t("shared.remove_title", { person }), <p>{rule(shared.rule)}</p>, { yes: t("shared.remove"), danger: true }))) return;
    await run(() => call("DELETE", `${path}/members/${part(person)}`, { bare: true }), t("shared.removed", { person }));
  };
  const setRole = (person: string, next: string) => run(() => call("PATCH", `${path}/members/${part(person)}`, { body: { role: next }, bare: true }), t("saved"));
  const withdraw = ({ id }: Invitation) => run(() => call("DELETE", `${path}/invitations/${part(id)}`, { bare: true }), t("shared.withdrawn"));
  if (shared.role === "none")
    return (
      <Card title={name} action={<button type="button" onClick={() => void leave()}>{t("shared.forget")}</button>}>
        <p className="muted">{t("shared.former")}</p>
      </Card>
    );
  return (
    <Card title={name} action={<span className="row tight"><Badge tone="accent">{role(shared.role)}</Badge>{here === name ? <Badge>{t("namespaces.here")}</Badge> : <button type="button" className="quiet" onClick={() => switchNamespace(name)}>{t("namespaces.go")}</button>}</span>}>
      <p className="muted">{rule(shared.rule)}</p>
      <table className="rows cards-narrow">
        <thead>
          <tr>
            <th scope="col">{t("shared.member")}</th>
            <th scope="col">{t("shared.role")}</th>
            <th scope="col">{t("shared.since")}</th>
            <th scope="col"><span className="visually-hidden">{t("actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          {shared.members.map((member) => (
            <tr key={member.person}>
              <td data-label={t("shared.member")}><span className="row tight"><strong><Plain text={member.person} /></strong>{member.person === me && <Badge>{t("actor.you")}</Badge>}</span></td>
              <td data-label={t("shared.role")}>
                {admin && member.person !== me ? (
                  <select aria-label={t("shared.role_of", { person: member.person })} value={member.role} onChange={(event) => void setRole(member.person, event.target.value)}>
                    {ROLES.map((option) => <option key={option} value={option}>{role(option)}</option>)}
                  </select>
                ) : (
                  role(member.role)
                )}
              </td>
              <td data-label={t("shared.since")} className="muted small"><When at={member.since} /></td>
              <td className="end">{admin && member.person !== me && <button type="button" className="quiet" aria-label={t("shared.remove_title", { person: member.person })} onClick={() => void remove(member)}>{t("shared.remove")}</button>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shared.invitations.length > 0 && (
        <section className="stack tight" aria-label={t("shared.invitations")}>
          <h3>{t("shared.invitations")}</h3>
          <ul className="lines">
            {shared.invitations.map((invitation) => (
              <li key={invitation.id} className="row between">
                <span>
                  <strong>{invitation.person ? <Plain text={invitation.person} /> : t("shared.anyone")}</strong>
                  {", "}
                  {role(invitation.role)}
                  <span className="muted small block">{t("shared.until", { when: moment(invitation.expires_at) })}</span>
                </span>
                <button type="button" className="quiet" onClick={() => void withdraw(invitation)}>{t("shared.withdraw")}</button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="row tight">
        {admin && <button type="button" onClick={() => setInviting(true)}><Icon name="plus" size={18} /> {t("shared.invite")}</button>}
        {admin && others.length > 0 && <button type="button" onClick={() => setTransferring(true)}>{t("shared.transfer")}</button>}
        {!last && <button type="button" onClick={() => void leave()}>{t("shared.leave")}</button>}
        {admin && <button type="button" className="quiet" onClick={() => void erase()}>{t("delete")}</button>}
      </div>
      {last && <p className="muted small">{t("shared.last_admin")}</p>}
      <NamespaceAudit name={name} />
      {inviting && <ShareDialog shared={shared} taken={[]} onClose={() => { setInviting(false); list.reload(); }} />}
      {transferring && <TransferDialog shared={shared} others={others} onClose={() => setTransferring(false)} onDone={() => { setTransferring(false); tell(t("saved")); list.reload(); }} />}
    </Card>
  );
}

/** Who did what in this namespace, read when it is opened. */
function NamespaceAudit({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("audit.title")}</summary>
      {open && <AuditLines namespace={name} />}
    </details>
  );
}

/** Invite to a namespace that is shared already (`shared`), or share another one. */
function ShareDialog({ shared, taken, onClose }: { shared?: SharedNamespace; taken: readonly SharedNamespace[]; onClose: () => void }) {
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }), ["namespace"]);
  const [name, setName] = useState(shared?.name ?? "");
  const [person, setPerson] = useState("");
  const [chosen, setChosen] = useState<Role>("writer");
  const [left, setLeft] = useState<Rule>("stays");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const names = (spaces.data?.items ?? []).map((space) => space.name).filter((space) => !OWN.includes(space) && !taken.some((known) => known.name === space));
  const share = async () => {
    setBusy(true);
    setError(null);
    try {
      setInvitation(await call<Invitation>("POST", "/v1/shared", { body: { name: name.trim(), person: person.trim() || null, role: chosen, rule: shared ? shared.rule : left }, bare: true }));
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  if (invitation?.code)
    return (
      <Dialog title={t("shared.code")} onClose={onClose}>
        <div className="stack">
          <p>{invitation.person ? t("shared.code_for", { person: invitation.person }) : t("shared.code_anyone")} {t("shared.until", { when: moment(invitation.expires_at) })}</p>
          <Copy text={invitation.code} />
          <p className="muted small">{t("shared.code_how")}</p>
          <div className="form-foot"><button type="button" className="primary" onClick={onClose}>{t("close")}</button></div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={shared ? t("shared.invite_to", { name: shared.name }) : t("shared.share")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void share();
        }}
      >
        {!shared && (
          <Field label={t("namespace")} hint={t("shared.name_how")}>
            {(id) => (
              <>
                <input id={id} required list={`${id}-names`} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
                <datalist id={`${id}-names`}>{names.map((space) => <option key={space} value={space} />)}</datalist>
              </>
            )}
          </Field>
        )}
        <Field label={t("shared.person")} hint={t("shared.person_how")}>{(id) => <input id={id} autoComplete="off" value={person} onChange={(event) => setPerson(event.target.value)} />}</Field>
        <Segments label={t("shared.role")} value={chosen} options={ROLES.map((value) => ({ value, label: role(value) }))} onChange={setChosen} />
        <p className="muted small">{t(`shared.may_${chosen}`)}</p>
        {!shared && (
          <fieldset className="stack tight plain">
            <legend>{t("shared.rule")}</legend>
            {RULES.map((value) => (
              <label key={value} className="row tight">
                <input type="radio" name="rule" checked={left === value} onChange={() => setLeft(value)} />
                {rule(value)}
              </label>
            ))}
            <p className="muted small">{t("shared.rule_once")}</p>
          </fieldset>
        )}
        {error !== null && <p className="error-line" role="alert">{errorText(error)}</p>}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={busy || !name.trim()}>{t("shared.make_code")}</button>
        </div>
      </form>
    </Dialog>
  );
}

/** The offer is read before one joins: whose, which role, and what stays when one leaves. */
function JoinDialog({ onClose, onJoined }: { onClose: () => void; onJoined: () => void }) {
  const [code, setCode] = useState("");
  const [offer, setOffer] = useState<Invitation | null>(null);
  const [error, setError] = useState<unknown>(null);
  const ask = async (path: "preview" | "join") => {
    setError(null);
    try {
      const answer = await call<Invitation & SharedNamespace>("POST", `/v1/shared/${path}`, { body: { code: code.trim() }, bare: true });
      if (path === "preview") return setOffer(answer);
      tell(t("shared.joined", { name: answer.name }));
      onJoined();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog title={t("shared.join")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(offer ? "join" : "preview");
        }}
      >
        <Field label={t("shared.code")}>{(id) => <input id={id} required className="mono" autoComplete="off" spellCheck={false} value={code} onChange={(event) => { setCode(event.target.value); setOffer(null); }} />}</Field>
        {offer && (
          <div className="receipt" role="status">
            <p><strong><Plain text={offer.namespace} /></strong> {t("shared.offer", { by: offer.invited_by, role: role(offer.role) })} {t(`shared.may_${offer.role as Role}`)}</p>
            <p>{rule(offer.rule)}</p>
            <p className="muted small">{t("shared.seen")}</p>
          </div>
        )}
        {error !== null && <p className="error-line" role="alert">{error instanceof Problem && error.conflict ? t("shared.name_taken") : errorText(error)}</p>}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={!code.trim()}>{offer ? t("shared.join_now") : t("shared.look")}</button>
        </div>
      </form>
    </Dialog>
  );
}

function TransferDialog({ shared, others, onClose, onDone }: { shared: SharedNamespace; others: readonly Member[]; onClose: () => void; onDone: () => void }) {
  const [person, setPerson] = useState(others[0]?.person ?? "");
  const transfer = async () => {
    try {
      await call("POST", `/v1/shared/${part(shared.name)}/transfer`, { body: { person }, bare: true });
      onDone();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog title={t("shared.transfer")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void transfer();
        }}
      >
        <p>{t("shared.transfer_what")}</p>
        <Field label={t("shared.member")}>
          {(id) => (
            <select id={id} value={person} onChange={(event) => setPerson(event.target.value)}>
              {others.map((member) => <option key={member.person} value={member.person}>{member.person}</option>)}
            </select>
          )}
        </Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary">{t("shared.transfer")}</button>
        </div>
      </form>
    </Dialog>
  );
}
