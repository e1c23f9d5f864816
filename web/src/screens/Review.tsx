import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { call, part } from "../api/client";
import { usePages } from "../api/query";
import type { Page, Receipt, Waiting } from "../api/types";
import { isKey, t, word } from "../i18n";
import { Badge, Bar, Field, Screen, Status, When } from "../parts/bits";
import { confirm, Parts } from "../parts/dialog";
import { agentName } from "../parts/hosts";
import { Icon } from "../parts/icons";
import { ctrl } from "../parts/keys";
import { Author, Quotes, Writer } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { because } from "../parts/reasons";
import { Empty, Failed, Skeleton } from "../parts/states";
import { href } from "../router";
import { diff } from "../text/diff";
import { similar } from "../text/similar";
import { Long, Plain } from "../text/Plain";
import { cut, isId } from "../text/plain";

type Decision = "approve" | "correct" | "reject";
const GROUPINGS = ["none", "source", "session", "similar"] as const;
type Grouping = (typeof GROUPINGS)[number];
const MOST_GROUPED = 1000;

/** Suggestions that wait for a decision: a list, the chosen one beside it, a key for every decision, and whole groups at once. */
export function Review() {
  const pages = usePages("review", (cursor, signal) => call<Page<Waiting>>("GET", "/v1/review", { query: { limit: 50, cursor }, signal }), ["memory"]);
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [grouping, setGrouping] = useState<Grouping>("none");
  const card = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => grouped(pages.items.filter(({ memory }) => !skipped.includes(memory.id)), grouping), [pages.items, skipped, grouping]);
  const waiting = groups.flatMap(({ items }) => items);
  const current = waiting.find(({ memory }) => memory.id === chosen) ?? waiting[0];
  const id = current?.memory.id;
  const { more } = pages;
  useEffect(() => {
    // A group is decided as a whole, so all of it is to be there.
    if (waiting.length < 5 || (grouping !== "none" && pages.items.length < MOST_GROUPED)) more();
  });
  useEffect(() => {
    setDraft(null);
    if (id) card.current?.focus({ preventScroll: true });
  }, [id]);

  /** The one after the current one, to go on with. */
  const following = (): string | null => {
    const at = waiting.findIndex(({ memory }) => memory.id === id);
    return (waiting[at + 1] ?? waiting[at - 1])?.memory.id ?? null;
  };
  const decide = async (decision: Decision, text?: string) => {
    if (!current) return;
    setChosen(following());
    pages.set((items) => items.filter((item) => item !== current)); // the next one is there at once
    const restore = () => {
      pages.set((items) => [current, ...items]);
      setChosen(current.memory.id);
    };
    try {
      const receipt = await call<Receipt>("POST", `/v1/review/${part(current.memory.id)}`, { body: { decision, ...(text ? { text } : {}) } });
      tellUndo(t(`review.did_${decision}`), receipt, restore);
    } catch (error) {
      restore();
      complain(error);
    }
  };
  const decideAll = async (items: readonly Waiting[], action: "confirm" | "reject") => {
    const ids = items.map(({ memory }) => memory.id);
    const title = t(action === "confirm" ? "review.approve_all" : "review.reject_all", { n: ids.length });
    const texts = items.slice(0, 8).map(({ memory }) => <li key={memory.id} className="memory-text"><Plain text={cut(memory.text, 160)} /></li>);
    if (!(await confirm(title, <ul className="lines">{texts}{ids.length > 8 && <li className="muted">{t("receipt.and_more", { n: ids.length - 8 })}</li>}</ul>, { yes: title, danger: action === "reject" }))) return;
    pages.set((old) => old.filter(({ memory }) => !ids.includes(memory.id)));
    try {
      // A proposal is decided by itself: approving it does what it suggests.
      for (const { memory } of items.filter(isProposal)) {
        await call("POST", `/v1/review/${part(memory.id)}`, { body: { decision: action === "confirm" ? "approve" : "reject" } });
      }
      const candidates = items.filter((item) => !isProposal(item)).map(({ memory }) => memory.id);
      if (candidates.length) {
        const receipt = await call<Receipt>("POST", "/v1/memories/bulk", { body: { ids: candidates, action } });
        tellUndo(t(`bulk.${action}`, { n: ids.length }), receipt, pages.reload);
      }
    } catch (error) {
      complain(error);
    }
    pages.reload();
  };
  const skip = () => {
    if (!current) return;
    setChosen(following());
    setSkipped([...skipped, current.memory.id]);
  };
  const walk = (step: number) => {
    const at = waiting.findIndex(({ memory }) => memory.id === id);
    const next = waiting[at + step];
    if (next) setChosen(next.memory.id);
  };

  const keys = useRef<(key: string) => boolean>(() => false);
  // Before it is painted: a key is for the suggestion that is seen.
  useLayoutEffect(() => {
    keys.current = (key) => {
      if (key === "a") void decide("approve");
      else if (key === "r") void decide("reject");
      else if (key === "c" && current) setDraft(current.memory.text);
      else if (key === "s") skip();
      else if (key === "j") walk(1);
      else if (key === "k") walk(-1);
      else return false;
      return true;
    };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [role=dialog]")) return;
      if (keys.current(event.key.toLowerCase())) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);

  if (pages.error && !current) return <Screen title={t("nav.review")}><Failed error={pages.error} retry={pages.reload} /></Screen>;
  return (
    <Screen title={t("nav.review")} lead={t("review.lead")} wide>
      {!current && pages.loading ? (
        <Skeleton rows={2} height={160} />
      ) : !current ? (
        <Empty icon="check" title={t("review.none")}>
          {skipped.length > 0 && (
            <button type="button" onClick={() => setSkipped([])}>
              {t("review.skipped", { n: skipped.length })}
            </button>
          )}
        </Empty>
      ) : (
        <div className="review">
          <section className="review-list" aria-label={t("review.list")}>
            <div className="row between">
              <p className="muted small" role="status">
                {t("review.left", { n: (pages.total ?? pages.items.length) - skipped.length })}
              </p>
              <label className="row tight small muted">
                {t("review.group")}
                <select value={grouping} onChange={(event) => setGrouping(event.target.value as Grouping)}>
                  {GROUPINGS.map((name) => (
                    <option key={name} value={name}>{t(`review.group_${name}`)}</option>
                  ))}
                </select>
              </label>
            </div>
            {groups.map(({ name, items }) => (
              <section key={name} aria-label={name || undefined}>
                {grouping !== "none" && (
                  <div className="row between group-head">
                    <h2><Plain text={name} /> <span className="muted small">{items.length}</span></h2>
                    <span className="row tight">
                      <button type="button" className="quiet" onClick={() => void decideAll(items, "confirm")}><Icon name="check" size={16} /> {t("review.approve_group")}</button>
                      <button type="button" className="quiet" onClick={() => void decideAll(items, "reject")}><Icon name="close" size={16} /> {t("review.reject_group")}</button>
                    </span>
                  </div>
                )}
                <ul>
                  {items.map(({ memory, reason }) => (
                    <li key={memory.id}>
                      <button type="button" className="review-item" aria-current={memory.id === id} onClick={() => setChosen(memory.id)}>
                        <span className="memory-text clamp"><Plain text={cut(memory.text, 160)} /></span>
                        <span className="muted small">{word("category", memory.category)} · <Plain text={cut(actOf({ memory }) ?? waitsFor(reason, memory.agent), 80)} /></span>
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {!pages.complete && <button type="button" onClick={pages.more} disabled={pages.loading}>{t("more")}</button>}
          </section>
          <div className="review-card" ref={card} tabIndex={-1} role="group" aria-label={t("review.candidate")}>
            <section className="card">
              <div className="row tight">
                <Badge>{word("category", current.memory.category)}</Badge>
                <Badge>{current.memory.source === "user" ? word("source", "user") : <Writer memory={current.memory} />}</Badge>
                {isProposal(current) ? <Badge tone="status-candidate">{suggestion(current)}</Badge> : current.reason && <Badge tone="status-candidate"><Plain text={waitsFor(current.reason, current.memory.agent)} /></Badge>}
              </div>
              {draft === null ? (
                <p className="memory-text big"><Long text={current.memory.text} /></p>
              ) : (
                <Correction draft={draft} onChange={setDraft} onSave={(text) => void decide("correct", text)} onCancel={() => setDraft(null)} />
              )}
              <p className="row tight small muted">{t("confidence")} <Bar value={current.memory.confidence} label={t("confidence")} /></p>
              <div className="actions review-actions">
                <button type="button" className="primary" aria-keyshortcuts="a" onClick={() => void decide("approve")}><Icon name="check" size={18} /> {t("review.approve")} <kbd>A</kbd></button>
                <button type="button" aria-keyshortcuts="c" onClick={() => setDraft(current.memory.text)}><Icon name="edit" size={18} /> {t("correct")} <kbd>C</kbd></button>
                <button type="button" aria-keyshortcuts="r" onClick={() => void decide("reject")}><Icon name="close" size={18} /> {t("reject")} <kbd>R</kbd></button>
                <button type="button" className="quiet" aria-keyshortcuts="s" onClick={skip}><Icon name="skip" size={18} /> {t("review.skip")} <kbd>S</kbd></button>
              </div>
            </section>
            {current.conflict && <BeforeAfter waiting={current} />}
            <section className="card">
              <h2>{t("evidence.title")}</h2>
              <Quotes evidence={current.evidence} />
            </section>
          </div>
        </div>
      )}
    </Screen>
  );
}

function Correction({ draft, onChange, onSave, onCancel }: { draft: string; onChange: (text: string) => void; onSave: (text: string) => void; onCancel: () => void }) {
  const save = () => {
    if (draft.trim()) onSave(draft.trim());
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label={t("review.correction")}>
        {(id) => (
          <textarea
            id={id}
            // eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to correct this text
            autoFocus
            value={draft}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") onCancel();
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
            }}
          />
        )}
      </Field>
      <div className="form-foot">
        <button type="button" onClick={onCancel}>{t("cancel")}</button>
        <button type="submit" className="primary">{t("save")} <kbd>{ctrl()} ↵</kbd></button>
      </div>
    </form>
  );
}

/** An agent may not change what a person stated: it proposes the change, and `metadata.proposal` names it. */
const isProposal = ({ memory }: Pick<Waiting, "memory">): boolean => typeof memory.metadata.proposal === "string";

function actOf(waiting: Pick<Waiting, "memory">): string | null {
  if (!isProposal(waiting)) return null;
  const act = String(waiting.memory.metadata.proposal);
  const key = `proposal.${act.replaceAll("-", "_")}`;
  return isKey(key) ? t(key) : act;
}

/** What is suggested, and by whom: another member of a shared namespace, another machine in step with this one, or an agent. */
function suggestion(waiting: Waiting): string {
  const { metadata, author, agent } = waiting.memory;
  const act = actOf(waiting)!;
  if (metadata.sync_conflict) return t("proposal.elsewhere", { act });
  return author && !agent ? t("proposal.by", { who: cut(author, 40), act }) : t("proposal.title", { act });
}

/** Proposals that change the text; of the others only what is said now is of interest. */
const REWRITES = ["revise", "set", "revise-relation", "rollback"];

interface Group {
  name: string;
  items: Waiting[];
}

function grouped(items: readonly Waiting[], by: Grouping): Group[] {
  if (by === "similar") {
    const { groups, rest } = similar(items, ({ memory }) => memory.text);
    const alike = groups.map(({ words, items: members }) => ({ name: words.join(", "), items: members }));
    return rest.length ? [...alike, { name: t("review.others"), items: rest }] : alike;
  }
  const groups = new Map<string, Waiting[]>();
  for (const item of items) {
    const session = item.evidence[0]?.episode.turn?.session ?? "";
    const name = by === "none" ? "" : by === "source" ? (item.memory.agent ? agentName(item.memory.agent) : word("source", item.memory.source)) : !session ? t("review.no_session") : isId(session) ? t("review.unnamed") : session;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, members]) => ({ name, items: members }));
}

/** Why it waits; an agent by its name. */
function waitsFor(reason: string, agent: string | null): string {
  const source = /^not confirmed(?: yet)?: from (\w+)$/i.exec(reason)?.[1];
  return source ? t("review.from", { source: agent ? agentName(agent) : word("source", source) }) : because(reason);
}

/** What is believed now, and what it would become. */
function BeforeAfter({ waiting }: { waiting: Waiting }) {
  const before = waiting.conflict!;
  const parts = diff(cut(before.text, 5000), cut(waiting.memory.text, 5000));
  return (
    <section className="card conflict">
      <div className="card-head">
        <h2>{t("review.conflict")}</h2>
        <Status value={before.status} />
      </div>
      <div className="two-sides">
        <section className="version-side">
          <h3>{t("review.now")}</h3>
          <p className="memory-text"><Parts parts={parts.filter(({ kind }) => kind !== "new")} /></p>
          <p className="small muted"><a href={href(["memories", before.id])}><When at={before.recorded_at} exact /></a>{before.author && <>, <Author person={before.author} /></>}</p>
        </section>
        <section className="version-side">
          <h3>{t("review.after")}</h3>
          {isProposal(waiting) && !REWRITES.includes(String(waiting.memory.metadata.proposal)) ? <p>{actOf(waiting)}</p> : <p className="memory-text"><Parts parts={parts.filter(({ kind }) => kind !== "gone")} /></p>}
        </section>
      </div>
    </section>
  );
}
