import { useEffect, useRef, useState, type ReactNode } from "react";
import { call, part, Problem } from "../api/client";
import { useResource, type Resource } from "../api/query";
import type { Memory, Page, EvidenceQuote, Receipt, Use, Version } from "../api/types";
import { number } from "../format";
import { t, word } from "../i18n";
import { Badge, Bar, Field, Status, When } from "../parts/bits";
import { Clocks, type AsOf } from "../parts/Clocks";
import { confirm, Dialog, Parts, settle } from "../parts/dialog";
import { agentName } from "../parts/hosts";
import { Icon } from "../parts/icons";
import { Author, Quotes } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { because } from "../parts/reasons";
import { ReceiptCard } from "../parts/Receipt";
import { Empty, Failed, Show, Skeleton } from "../parts/states";
import { go } from "../navigation";
import { Actor } from "../parts/Actor";
import { href } from "../router";
import { diff } from "../text/diff";
import { Long, Plain } from "../text/Plain";
import { cut } from "../text/plain";

const at = (id: string): string => `/v1/memories/${part(id)}`;

export function MemoryDetail({ id, back, alone }: { id: string; back: string; alone: boolean }) {
  const Title = alone ? "h1" : "h2"; // the list, and its heading, stand beside it or are out of sight
  const memory = useResource(`memory/${id}`, (signal) => call<Memory>("GET", at(id), { signal }), ["memory"]);
  const title = useRef<HTMLHeadingElement>(null);
  const there = memory.data !== undefined;
  useEffect(() => {
    if (there) title.current?.focus({ preventScroll: true });
  }, [there, id]);
  return (
    <section className="split-detail" aria-label={t("memory.title")}>
      <div className="detail-head">
        <a className="button icon-button" href={back} aria-label={t("memory.back")}>
          <Icon name="back" />
        </a>
        <Title ref={title} tabIndex={-1}>{t("memory.title")}</Title>
        <span className="spring" />
        {memory.data && <Status value={memory.data.status} />}
      </div>
      {memory.data ? <Whole memory={memory.data} resource={memory} /> : memory.error ? <Failed error={memory.error} retry={memory.reload} /> : <Skeleton rows={4} height={96} />}
    </section>
  );
}

function Whole({ memory, resource }: { memory: Memory; resource: Resource<Memory> }) {
  const [asOf, setAsOf] = useState<AsOf>({ as_of: null, known_at: null });
  const versions = useResource(`versions/${memory.id}`, (signal) => call<Page<Version>>("GET", `${at(memory.id)}/versions`, { signal }), ["memory"]);
  const first = versions.data?.items[0]?.recorded_at ?? memory.recorded_at;
  const earliest = [first, memory.valid_from ?? first].sort()[0]!;
  return (
    <div className="detail">
      {asOf.as_of || asOf.known_at ? <Then id={memory.id} asOf={asOf} /> : <Now memory={memory} resource={resource} />}
      <Part title={t("clock.title")}>
        <Clocks since={earliest} value={asOf} onChange={setAsOf} />
      </Part>
      <Part title={t("memory.about")}>
        <About memory={memory} />
      </Part>
      <Part title={t("evidence.title")}>
        <Evidence id={memory.id} />
      </Part>
      <Part title={t("versions.title")}>
        <Show of={versions} rows={2} height={72}>
          {({ items }) => <Versions items={items} current={memory} onRestored={() => { resource.reload(); versions.reload(); }} />}
        </Show>
      </Part>
      <Part title={t("uses.title")}>
        <Uses id={memory.id} count={memory.uses} />
      </Part>
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="part">
    <h3>{title}</h3>
    {children}
  </section>
);

/** The memory as it was at another moment. */
function Then({ id, asOf }: { id: string; asOf: AsOf }) {
  const key = `memory/${id}/${asOf.as_of}/${asOf.known_at}`;
  const then = useResource(key, async (signal) => {
    await new Promise((wake) => setTimeout(wake, 120)); // the slider is still moving
    signal.throwIfAborted();
    return call<Memory>("GET", at(id), { query: { ...asOf }, signal });
  });
  if (then.error instanceof Problem && then.error.status === 404) return <Empty icon="clock" title={t("clock.nothing")} />;
  return (
    <Show of={then} rows={1} height={96}>
      {(memory) => (
        <div className="then">
          <p className="small muted">{t("clock.then")}</p>
          <p className="memory-text big"><Long text={memory.text} /></p>
          <Status value={memory.status} />
        </div>
      )}
    </Show>
  );
}

function Now({ memory, resource }: { memory: Memory; resource: Resource<Memory> }) {
  const [editing, setEditing] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const version = useRef(memory.version);
  useEffect(() => {
    version.current = Math.max(version.current, memory.version);
  }, [memory.version]);
  const line = useRef<Promise<unknown>>(Promise.resolve());
  /** One write after the other, each upon the version that the one before made. */
  const inTurn = (write: () => Promise<Receipt>): Promise<Receipt> => {
    const mine = line.current.then(write).then((receipt) => {
      version.current = Math.max(version.current, ...receipt.changes.filter((one) => one.id === memory.id).map((one) => one.after ?? 0));
      return receipt;
    });
    line.current = mine.catch(() => undefined);
    return mine;
  };
  /** Show the change at once, take it back if the server refuses, ask if somebody else was faster. */
  const change = async (body: Partial<Memory>, said: string, reason = "", base?: number): Promise<void> => {
    resource.set({ ...memory, ...body });
    try {
      const sent = reason ? { ...body, reason } : body;
      const receipt = await inTurn(() => call<Receipt>("PATCH", at(memory.id), { body: sent, version: base ?? version.current }));
      tellUndo(said, receipt, resource.reload);
      resource.reload();
    } catch (error) {
      resource.set(memory);
      if (!(error instanceof Problem && error.conflict)) return complain(error);
      const now = await call<Memory>("GET", at(memory.id));
      resource.set(now);
      if (body.text !== undefined && now.text !== body.text ? await settle(body.text, now.text) : true) return change(body, said, reason, now.version);
    }
  };
  const act = async (verb: "confirm" | "reject" | "archive", status: Memory["status"], body: Record<string, unknown> = {}) => {
    resource.set({ ...memory, status });
    try {
      tellUndo(t(`done.${verb}`), await inTurn(() => call<Receipt>("POST", `${at(memory.id)}/${verb}`, { body })), resource.reload);
      resource.reload();
    } catch (error) {
      resource.set(memory);
      complain(error);
    }
  };
  const forget = async () => {
    if (!(await confirm(t("forget.title"), <><p>{t("forget.body")}</p><p className="quote memory-text"><Plain text={cut(memory.text, 300)} /></p></>, { yes: t("forget"), danger: true }))) return;
    try {
      setReceipt(await call<Receipt>("DELETE", at(memory.id)));
    } catch (error) {
      complain(error);
    }
  };
  if (receipt) {
    return (
      <div className="stack" role="status">
        <Empty icon="check" title={t("forget.done")} />
        <ReceiptCard receipt={receipt} />
        <button type="button" onClick={() => go(href("memories"))}>{t("memory.back")}</button>
      </div>
    );
  }
  return (
    <>
      {editing ? (
        <Editor memory={memory} onCancel={() => setEditing(false)} onSave={(text, reason, base) => { setEditing(false); void change({ text }, t("done.corrected"), reason, base); }} />
      ) : (
        <p className="memory-text big">
          {memory.key && <span className="key"><Plain text={memory.key} /> </span>}
          <Long text={memory.text} />
        </p>
      )}
      <div className="actions">
        <button type="button" className={memory.status === "candidate" ? "primary" : undefined} onClick={() => void act("confirm", "verified")}><Icon name="check" size={18} /> {t("confirm")}</button>
        <button type="button" onClick={() => setEditing(true)} disabled={editing}><Icon name="edit" size={18} /> {t("correct")}</button>
        <button type="button" onClick={() => setRejecting(true)}><Icon name="close" size={18} /> {t("reject")}</button>
        <button type="button" aria-pressed={memory.pinned} onClick={() => void change({ pinned: !memory.pinned }, memory.pinned ? t("done.unpinned") : t("done.pinned"))}><Icon name="pin" size={18} /> {memory.pinned ? t("unpin") : t("pin")}</button>
        <button type="button" onClick={() => void act("archive", "archived")}><Icon name="archive" size={18} /> {t("archive")}</button>
        <button type="button" className="quiet red" onClick={() => void forget()}><Icon name="trash" size={18} /> {t("forget")}</button>
      </div>
      <Tags memory={memory} onChange={(tags) => void change({ tags }, t("saved"))} />
      {rejecting && <RejectDialog onClose={() => setRejecting(false)} onReject={(reason) => { setRejecting(false); void act("reject", "rejected", { reason }); }} />}
    </>
  );
}

function Editor({ memory, onSave, onCancel }: { memory: Memory; onSave: (text: string, reason: string, base: number) => void; onCancel: () => void }) {
  const [begun] = useState(memory); // what the person saw when they began; an agent may write meanwhile
  const [text, setText] = useState(memory.text);
  const [reason, setReason] = useState("");
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && text !== begun.text) onSave(text.trim(), reason.trim(), begun.version);
        else onCancel();
      }}
    >
      {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to correct this text */}
      <Field label={t("memories.text")}>{(id) => <textarea id={id} value={text} autoFocus onChange={(event) => setText(event.target.value)} />}</Field>
      <Field label={t("reason")}>{(id) => <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
      <div className="form-foot">
        <button type="button" onClick={onCancel}>{t("cancel")}</button>
        <button type="submit" className="primary">{t("save")}</button>
      </div>
    </form>
  );
}

export function RejectDialog({ onReject, onClose }: { onReject: (reason: string) => void; onClose: () => void }) {
  const [reason, setReason] = useState("");
  return (
    <Dialog title={t("reject.title")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onReject(reason.trim());
        }}
      >
        <p>{t("reject.body")}</p>
        <Field label={t("reason")}>{(id) => <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="danger">{t("reject")}</button>
        </div>
      </form>
    </Dialog>
  );
}

function Tags({ memory, onChange }: { memory: Memory; onChange: (tags: string[]) => void }) {
  const [draft, setDraft] = useState("");
  return (
    <form
      className="row tight tags"
      onSubmit={(event) => {
        event.preventDefault();
        const fresh = draft.trim();
        if (fresh && !memory.tags.includes(fresh)) onChange([...memory.tags, fresh]);
        setDraft("");
      }}
    >
      <Icon name="tag" size={16} />
      {memory.tags.map((one) => (
        <span key={one} className="chip">
          <Plain text={one} />
          <button type="button" className="chip-close" aria-label={t("tags.drop", { tag: one })} onClick={() => onChange(memory.tags.filter((tag) => tag !== one))}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <input className="tag-input" aria-label={t("tags.add")} placeholder={t("tags.add")} value={draft} onChange={(event) => setDraft(event.target.value)} />
    </form>
  );
}

function About({ memory }: { memory: Memory }) {
  const rows: [string, ReactNode][] = [
    [t("filter.kind"), word("kind", memory.kind)],
    [t("filter.category"), word("category", memory.category)],
    [t("filter.source"), word("source", memory.source)],
    ...(memory.author ? [[t("shared.author"), <Author key="a" person={memory.author} />] as [string, ReactNode]] : []),
    ...(memory.agent ? [[t("about.agent"), <Plain key="g" text={agentName(memory.agent)} />] as [string, ReactNode]] : []),
    [t("namespace"), <Plain key="n" text={memory.namespace} />],
    [t("importance"), <Bar key="i" value={memory.importance} label={t("importance")} />],
    [t("confidence"), <Bar key="c" value={memory.confidence} label={t("confidence")} />],
    [t("about.recorded"), <When key="r" at={memory.recorded_at} exact />],
  ];
  const dates: [string, string | null][] = [
    [t("about.valid_from"), memory.valid_from],
    [t("about.valid_to"), memory.valid_to],
    [t("people.confirmed"), memory.last_confirmed_at],
    [t("about.used"), memory.last_used_at],
    [t("about.expires"), memory.expires_at],
  ];
  for (const [name, value] of dates) if (value) rows.push([name, <When key={name} at={value} exact />]);
  return (
    <dl className="pairs">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Evidence({ id }: { id: string }) {
  const proof = useResource(`evidence/${id}`, (signal) => call<Page<EvidenceQuote>>("GET", `${at(id)}/evidence`, { signal }), ["memory"]);
  return (
    <Show of={proof} rows={1} height={72}>
      {({ items }) => <Quotes evidence={items} />}
    </Show>
  );
}

function Versions({ items, current, onRestored }: { items: Version[]; current: Memory; onRestored: () => void }) {
  const newest = [...items].sort((a, b) => b.version - a.version);
  const restore = async (version: number) => {
    try {
      const receipt = await call<Receipt>("POST", `${at(current.id)}/rollback`, { body: { to: version } });
      tellUndo(t("versions.restored"), receipt, onRestored);
      onRestored();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <ol className="versions">
      {newest.map((one, i) => {
        const before = newest[i + 1]?.memory;
        return (
          <li key={one.version}>
            <div className="row between">
              <span className="row tight">
                <Badge tone={one.version === current.version ? "accent" : "plain"}>{t("versions.number", { n: number(one.version) })}</Badge>
                <span>{word("action", one.action)}</span>
                <span className="muted small">
                  <Actor actor={one.actor} /> · <When at={one.recorded_at} />
                </span>
              </span>
              {one.version !== current.version && (
                <button type="button" className="quiet" onClick={() => void restore(one.version)}>
                  <Icon name="undo" size={16} /> {t("versions.restore")}
                </button>
              )}
            </div>
            <p className="memory-text">{before && before.text !== one.memory.text ? <Parts parts={diff(cut(before.text, 20_000), cut(one.memory.text, 20_000))} /> : <Long text={one.memory.text} first={400} />}</p>
            <Differences before={before} after={one.memory} />
            {one.reason && <p className="small muted"><Plain text={because(one.reason)} /></p>}
          </li>
        );
      })}
    </ol>
  );
}

/** What else changed beside the text. */
function Differences({ before, after }: { before: Memory | undefined; after: Memory }) {
  if (!before) return null;
  const out: string[] = [];
  if (before.status !== after.status) out.push(`${word("status", before.status)} → ${word("status", after.status)}`);
  if (before.pinned !== after.pinned) out.push(after.pinned ? t("done.pinned") : t("done.unpinned"));
  if (before.category !== after.category) out.push(`${word("category", before.category)} → ${word("category", after.category)}`);
  if (before.importance !== after.importance) out.push(`${t("importance")} ${before.importance.toFixed(2)} → ${after.importance.toFixed(2)}`);
  if (before.tags.join() !== after.tags.join()) out.push(`${t("tags")}: ${after.tags.join(", ") || "–"}`);
  return out.length ? <p className="small muted"><Plain text={out.join(" · ")} /></p> : null;
}

function Uses({ id, count }: { id: string; count: number }) {
  return count ? <UsedIn id={id} count={count} /> : <p className="muted small">{t("uses.none")}</p>;
}

function UsedIn({ id, count }: { id: string; count: number }) {
  const uses = useResource(`uses/${id}`, (signal) => call<Page<Use>>("GET", `${at(id)}/uses`, { query: { limit: 20 }, signal }));
  return (
    <>
      <p className="muted small">{t("uses.count", { n: count })}</p>
      <ul className="lines small">
        {uses.data?.items.map((one, i) => (
          <li key={i} className="row between">
            <span>{word("action", one.kind)}</span>
            <span className="muted"><When at={one.at} exact /></span>
          </li>
        ))}
      </ul>
    </>
  );
}
