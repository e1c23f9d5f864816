import { useCallback, useEffect, useState } from "react";
import { call, part, Problem } from "../api/client";
import { queryClient, useResource, type Resource } from "../api/query";
import type { CoreValue, Me, Page, Receipt, RelationSummary, Stats } from "../api/types";
import { number } from "../format";
import { predicateWords, t, word } from "../i18n";
import { Bar, Card, Field, Screen, When } from "../parts/bits";
import { confirm, Dialog, settle } from "../parts/dialog";
import { errorText } from "../parts/errors";
import { ExportButton } from "../parts/Export";
import { Icon } from "../parts/icons";
import { complain, tell, tellUndo } from "../parts/notices";
import { ReceiptCard } from "../parts/Receipt";
import { Empty, Show } from "../parts/states";
import { switchNamespace } from "../session";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { forgetViews } from "./Views";

/** One card after the other, so that none is pushed down by what comes into the one above. */
export function AboutMe() {
  const core = useResource("core", (signal) => call<Page<CoreValue>>("GET", "/v1/me/memory/core", { signal }), ["memory"]);
  const [below, setBelow] = useState(false);
  const there = useCallback(() => setBelow(true), []);
  return (
    <Screen title={t("nav.me")} lead={t("me.lead")}>
      <CorePreferences core={core} />
      {core.data || core.error ? <People onThere={there} /> : null}
      {below && <LiftRejection />}
      {below && <DangerZone />}
    </Screen>
  );
}

function CorePreferences({ core }: { core: Resource<Page<CoreValue>> }) {
  const [adding, setAdding] = useState(false);
  return (
    <Card
      title={t("core.title")}
      action={
        <button type="button" onClick={() => setAdding(true)} disabled={adding}>
          <Icon name="plus" /> {t("core.add")}
        </button>
      }
    >
      <Show of={core} rows={3} height={44}>
        {({ items }) =>
          items.length || adding ? (
            <table className="rows">
              <thead>
                <tr>
                  <th scope="col">{t("core.key")}</th>
                  <th scope="col">{t("core.value")}</th>
                  <th scope="col" className="wide-only">{t("core.updated")}</th>
                  <th scope="col" className="end">
                    <span className="visually-hidden">{t("actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((one) => (
                  <CoreRow key={one.key} row={one} core={core} />
                ))}
                {adding && <NewCore core={core} onDone={() => setAdding(false)} />}
              </tbody>
            </table>
          ) : (
            <Empty icon="person" title={t("core.none")}>{t("core.none_how")}</Empty>
          )
        }
      </Show>
    </Card>
  );
}

const corePath = (key: string): string => `/v1/me/memory/core/${part(key)}`;

function CoreRow({ row, core }: { row: CoreValue; core: Resource<Page<CoreValue>> }) {
  const [draft, setDraft] = useState<string | null>(null);
  const page = core.data!;
  const put = async (value: string, version: number): Promise<void> => {
    setDraft(null);
    core.set({ ...page, items: page.items.map((one) => (one.key === row.key ? { ...one, value } : one)) });
    try {
      const receipt = await call<Receipt>("PUT", corePath(row.key), { body: { value }, version });
      tellUndo(t("saved"), receipt, core.reload);
      core.reload();
    } catch (error) {
      core.set(page);
      if (!(error instanceof Problem && error.conflict)) return complain(error);
      const now = (await call<Page<CoreValue>>("GET", "/v1/me/memory/core")).items.find((one) => one.key === row.key);
      if (now && (await settle(value, now.value))) return put(value, now.version);
      core.reload();
    }
  };
  const drop = async () => {
    if (!(await confirm(t("core.delete", { key: row.key }), <p>{t("core.delete_what")}</p>, { yes: t("delete"), danger: true }))) return;
    core.set({ ...page, items: page.items.filter((one) => one.key !== row.key) });
    try {
      tellUndo(t("core.deleted"), await call<Receipt>("DELETE", corePath(row.key)), core.reload);
    } catch (error) {
      core.set(page);
      complain(error);
    }
  };
  return (
    <tr>
      <th scope="row" className="key-cell">
        <Plain text={row.key} />
      </th>
      <td>
        {draft === null ? (
          <button type="button" className="cell-edit" title={t("edit")} onClick={() => setDraft(row.value)}>
            <Plain text={cut(row.value, 400)} />
            <span className="visually-hidden"> ({t("edit")})</span>
          </button>
        ) : (
          <form
            className="row tight"
            onSubmit={(event) => {
              event.preventDefault();
              if (draft.trim() && draft !== row.value) void put(draft.trim(), row.version);
              else setDraft(null);
            }}
          >
            <input
              className="grow"
              aria-label={t("core.value_of", { key: row.key })}
              value={draft}
              // eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to edit this very value
              autoFocus
              onChange={(event) => setDraft(event.target.value)}
              onKeyDown={(event) => event.key === "Escape" && setDraft(null)}
            />
            <button type="submit" className="icon-button" aria-label={t("save")}>
              <Icon name="check" />
            </button>
            <button type="button" className="icon-button" aria-label={t("cancel")} onClick={() => setDraft(null)}>
              <Icon name="close" />
            </button>
          </form>
        )}
      </td>
      <td className="muted small wide-only">
        <When at={row.updated_at} />
      </td>
      <td className="end">
        <button type="button" className="icon-button" aria-label={t("core.delete", { key: row.key })} title={t("delete")} onClick={() => void drop()}>
          <Icon name="trash" />
        </button>
      </td>
    </tr>
  );
}

function NewCore({ core, onDone }: { core: Resource<Page<CoreValue>>; onDone: () => void }) {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const save = async () => {
    if (!key.trim() || !value.trim()) return;
    try {
      const receipt = await call<Receipt>("PUT", corePath(key.trim()), { body: { value: value.trim() } });
      tellUndo(t("saved"), receipt, core.reload);
      onDone();
      core.reload();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <tr>
      <td>
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked for a new row */}
        <input form="new-core" aria-label={t("core.key")} placeholder={t("core.key_example")} value={key} autoFocus onChange={(event) => setKey(event.target.value)} />
      </td>
      <td colSpan={3}>
        <form
          id="new-core"
          className="row tight"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <input className="grow" aria-label={t("core.value")} placeholder={t("core.value_example")} value={value} onChange={(event) => setValue(event.target.value)} />
          <button type="submit" className="primary" disabled={!key.trim() || !value.trim()}>
            {t("save")}
          </button>
          <button type="button" className="icon-button" aria-label={t("cancel")} onClick={onDone}>
            <Icon name="close" />
          </button>
        </form>
      </td>
    </tr>
  );
}

function People({ onThere }: { onThere: () => void }) {
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const alone = me.data?.plan === "free" || Boolean(me.error);
  useEffect(() => {
    if (alone) onThere();
  }, [alone, onThere]);
  return (
    <Card title={t("people.title")}>
      <Show of={me} rows={3} height={44}>
        {(who) =>
          who.plan === "free" ? (
            <div className="upgrade">
              <Icon name="key" size={28} />
              <div>
                <p className="state-title">{t("people.upgrade")}</p>
                <p className="muted">{t("people.upgrade_how")}</p>
              </div>
            </div>
          ) : (
            <Ties onThere={onThere} />
          )
        }
      </Show>
    </Card>
  );
}

/** How many ties are drawn at first, and more each time. */
const ROWS = 50;

function Ties({ onThere }: { onThere: () => void }) {
  const ties = useResource("ties", (signal) => call<Page<RelationSummary>>("GET", "/v1/me/memory/relational", { query: { limit: 500 }, signal }), ["relation", "entity"]);
  const [editing, setEditing] = useState<RelationSummary | null>(null);
  const [shown, setShown] = useState(ROWS);
  const there = Boolean(ties.data ?? ties.error);
  useEffect(() => {
    if (there) onThere();
  }, [there, onThere]);
  const drop = async (tie: RelationSummary) => {
    const page = ties.data!;
    if (!(await confirm(t("people.delete"), <p><Plain text={sentence(tie)} /></p>, { yes: t("delete"), danger: true }))) return;
    ties.set({ ...page, items: page.items.filter((one) => one.id !== tie.id) });
    try {
      await call("DELETE", `/v1/me/memory/relational/${part(tie.id)}`);
      tell(t("people.deleted"));
    } catch (error) {
      ties.set(page);
      complain(error);
    }
  };
  return (
    <Show of={ties} rows={4} height={44}>
      {({ items }) =>
        items.length ? (
          <>
            <table className="rows cards-narrow">
              <thead>
                <tr>
                  <th scope="col">{t("people.subject")}</th>
                  <th scope="col">{t("people.predicate")}</th>
                  <th scope="col">{t("people.object")}</th>
                  <th scope="col">{t("confidence")}</th>
                  <th scope="col">{t("people.confirmed")}</th>
                  <th scope="col" className="end">
                    <span className="visually-hidden">{t("actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.slice(0, shown).map((one) => (
                  <tr key={one.id}>
                    <td data-label={t("people.subject")}><Plain text={one.subject} /></td>
                    <td data-label={t("people.predicate")} className="muted"><Plain text={predicateWords(one.predicate)} /></td>
                    <td data-label={t("people.object")}><Plain text={one.object} /></td>
                    <td data-label={t("confidence")}><Bar value={one.confidence} label={t("confidence")} /></td>
                    <td data-label={t("people.confirmed")} className="muted small">{one.last_confirmed_at ? <When at={one.last_confirmed_at} /> : "–"}</td>
                    <td className="end nowrap">
                      <button type="button" className="icon-button" aria-label={t("people.edit", { what: sentence(one) })} title={t("edit")} onClick={() => setEditing(one)}>
                        <Icon name="edit" />
                      </button>
                      <button type="button" className="icon-button" aria-label={t("people.delete_one", { what: sentence(one) })} title={t("delete")} onClick={() => void drop(one)}>
                        <Icon name="trash" />
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {items.length > shown && <button type="button" onClick={() => setShown(shown + ROWS * 2)}>{t("more")}</button>}
            {editing && <TieDrawer tie={editing} ties={ties} onClose={() => setEditing(null)} />}
          </>
        ) : (
          <Empty icon="graph" title={t("people.none")}>{t("people.none_how")}</Empty>
        )
      }
    </Show>
  );
}

const sentence = (tie: RelationSummary): string => `${tie.subject} ${predicateWords(tie.predicate)} ${tie.object}`;

function TieDrawer({ tie, ties, onClose }: { tie: RelationSummary; ties: Resource<Page<RelationSummary>>; onClose: () => void }) {
  const [draft, setDraft] = useState(tie);
  const predicates = useResource("predicates", (signal) => call<Page<{ name: string }>>("GET", "/v1/predicates", { signal }));
  const known = predicates.data?.items.map((one) => one.name) ?? [];
  const names = known.includes(tie.predicate) ? known : [tie.predicate, ...known];
  const patch = async (version: number): Promise<void> => {
    const page = ties.data!;
    ties.set({ ...page, items: page.items.map((one) => (one.id === tie.id ? draft : one)) });
    const { subject, predicate, object, confidence, notes } = draft;
    try {
      await call("PATCH", `/v1/me/memory/relational/${part(tie.id)}`, { body: { subject, predicate, object, confidence, notes: notes || null }, version });
      tell(t("saved"));
      ties.reload();
    } catch (error) {
      ties.set(page);
      if (!(error instanceof Problem && error.conflict)) return complain(error);
      const now = (await call<Page<RelationSummary>>("GET", "/v1/me/memory/relational", { query: { limit: 500 } })).items.find((one) => one.id === tie.id);
      if (now && (await settle(sentence(draft), sentence(now)))) return patch(now.version);
      ties.reload();
    }
  };
  return (
    <Dialog side title={t("people.edit_title")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void patch(tie.version);
        }}
      >
        <Field label={t("people.subject")}>{(id) => <input id={id} required value={draft.subject} onChange={(event) => setDraft({ ...draft, subject: event.target.value })} />}</Field>
        <Field label={t("people.predicate")}>
          {(id) => (
            <select id={id} value={draft.predicate} onChange={(event) => setDraft({ ...draft, predicate: event.target.value })}>
              {names.map((one) => (
                <option key={one} value={one}>
                  {predicateWords(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("people.object")}>{(id) => <input id={id} required value={draft.object} onChange={(event) => setDraft({ ...draft, object: event.target.value })} />}</Field>
        <Field label={`${t("confidence")}: ${Math.round(draft.confidence * 100)} %`}>
          {(id) => <input id={id} type="range" min={0} max={1} step={0.01} value={draft.confidence} onChange={(event) => setDraft({ ...draft, confidence: Number(event.target.value) })} />}
        </Field>
        <Field label={t("people.notes")}>{(id) => <textarea id={id} value={draft.notes ?? ""} onChange={(event) => setDraft({ ...draft, notes: event.target.value })} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" className="primary">
            {t("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Allow a value again that was rejected or forgotten: its text is not kept, so it has to be typed. */
function LiftRejection() {
  const [text, setText] = useState("");
  const [result, setResult] = useState<string | null>(null);
  const lift = async () => {
    try {
      const { lifted } = await call<{ lifted: number }>("POST", "/v1/review/lift", { body: { text: text.trim() } });
      setResult(t("lift.result", { n: lifted }));
      if (lifted) setText("");
    } catch (error) {
      setResult(errorText(error));
    }
  };
  return (
    <Card title={t("lift.title")}>
      <p className="muted">{t("lift.what")}</p>
      <form
        className="row danger-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void lift();
        }}
      >
        <Field label={t("lift.text")}>{(id) => <input id={id} value={text} placeholder={t("lift.example")} onChange={(event) => setText(event.target.value)} />}</Field>
        <button type="submit" disabled={!text.trim()}>{t("lift.do")}</button>
      </form>
      <p role="status">{result}</p>
    </Card>
  );
}

const readStats = (signal?: AbortSignal): Promise<Stats> => call<Stats>("GET", "/v1/stats", signal ? { signal } : {});
const total = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, many) => sum + many, 0);

/** Erase everything: what there is comes first, then an export, then the word to type. */
function DangerZone() {
  const [typed, setTyped] = useState("");
  const [erased, setErased] = useState<{ receipt: Receipt; before: Stats; left: number } | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const stats = useResource("stats", readStats, ["memory"]);
  const confirmation = t("danger.word");
  const ready = typed.trim().toLocaleUpperCase() === confirmation && !busy;
  const erase = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const before = await readStats();
      const receipt = await call<Receipt>("POST", "/v1/me/memory/forget-all", { headers: { "X-Confirm": "true" } });
      setErased({ receipt, before, left: total((await readStats()).kinds) });
      setTyped("");
      forgetViews();
      switchNamespace("default"); // the header names no erased one
      await queryClient.resetQueries(); // nothing of it stays on screen
    } catch (error) {
      setFailure(errorText(error));
    }
    setBusy(false);
  };
  return (
    <Card title={t("danger.title")} tone="red">
      {erased ? (
        <div role="status" className="stack">
          <p className="state-title">{t("danger.erased", { n: total(erased.before.kinds), spaces: erased.before.namespaces.length })}</p>
          <CountsList stats={erased.before} />
          <p>{t("danger.left", { n: erased.left })}</p>
          <ReceiptCard receipt={erased.receipt} count={total(erased.before.kinds)} />
        </div>
      ) : (
        <>
          <p>{t("danger.body")}</p>
          {stats.data && (
            <div>
              <p>{t("danger.counts", { n: total(stats.data.kinds), spaces: stats.data.namespaces.length })}</p>
              <CountsList stats={stats.data} />
            </div>
          )}
          <p>{t("danger.export")}</p>
          <ExportButton />
          <form
            className="row danger-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (ready) void erase();
            }}
          >
            <Field label={t("danger.type", { word: confirmation })}>{(id) => <input id={id} value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />}</Field>
            <button type="submit" className="danger" disabled={!ready}>
              <Icon name="trash" /> {t("danger.button")}
            </button>
          </form>
          {failure && <p className="error-line" role="alert">{failure}</p>}
        </>
      )}
    </Card>
  );
}

function CountsList({ stats }: { stats: Stats }) {
  return (
    <ul className="row small">
      {Object.entries(stats.kinds).map(([kind, many]) => (
        <li key={kind}>{word("kind", kind)}: {number(many)}</li>
      ))}
    </ul>
  );
}
