import { useEffect, useMemo, useState } from "react";
import { call } from "../api/client";
import { useChanges } from "../api/events";
import { usePages, useResource } from "../api/resource";
import type { Hit, Memory, Page, Receipt, Tag } from "../api/types";
import { useStore } from "../store";
import { layout } from "../display";
import { t, tn, word } from "../i18n";
import { VirtualList } from "../list/VirtualList";
import { confirm } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Facts } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { useNarrow } from "../parts/size";
import { Empty, Failed, Skeleton } from "../parts/states";
import { go, href, usePlace } from "../router";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { Filters, chosen, type Wanted, wantedIn, withoutOne } from "./Filters";
import { MemoryDetail } from "./MemoryDetail";
import { NewMemory } from "./NewMemory";

/** The first page is what fits a screen and a little more, so that it stands sooner. */
const FIRST = 40;
const PAGE = 100;

export function Memories() {
  const place = usePlace();
  const id = place.path[1] ?? null;
  const asked = place.query.toString();
  const wanted = useMemo(() => wantedIn(new URLSearchParams(asked)), [asked]);
  const narrow = useNarrow(1100);
  const [adding, setAdding] = useState(false);
  const to = (next: Wanted, open: string | null) => go(href(["memories", ...(open ? [open] : [])], { ...next }), "replace");
  return (
    <div className={`split${id ? " open" : ""}`}>
      <div className="split-list" inert={narrow && id !== null}>
        <header className="list-head">
          <div className="row between">
            <h1 tabIndex={-1}>{t("nav.memories")}</h1>
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              <Icon name="plus" /> {t("memories.add")}
            </button>
          </div>
          <Toolbar wanted={wanted} onChange={(next) => to(next, id)} />
        </header>
        <List wanted={wanted} selected={id} />
      </div>
      {id ? (
        <MemoryDetail key={id} id={id} alone={narrow} back={href("memories", { ...wanted })} />
      ) : (
        !narrow && (
          <div className="split-none">
            <Empty icon="book" title={t("memories.choose")}>{t("memories.choose_how")}</Empty>
          </div>
        )
      )}
      {adding && <NewMemory onClose={() => setAdding(false)} />}
    </div>
  );
}

function Toolbar({ wanted, onChange }: { wanted: Wanted; onChange: (next: Wanted) => void }) {
  const [open, setOpen] = useState(false);
  const chips = chosen(wanted);
  return (
    <div className="toolbar">
      <div className="row tight nowrap">
        <search className="searching grow">
          <Icon name="search" />
          <input
            type="search"
            aria-label={t("memories.search")}
            placeholder={t("memories.search")}
            value={wanted.q ?? ""}
            onChange={(event) => onChange({ ...wanted, q: event.target.value })}
          />
        </search>
        <button type="button" aria-haspopup="dialog" aria-label={t("filter.title")} onClick={() => setOpen(true)}>
          <Icon name="filter" /> <span className="wide-only">{t("filter.title")}</span>
          {chips.length > 0 && <span className="badge accent">{chips.length}</span>}
        </button>
        <select aria-label={t("sort")} value={order(wanted.sort, wanted.known_at)} disabled={byRecall(wanted)} onChange={(event) => onChange({ ...wanted, sort: event.target.value })}>
          {(["newest", "oldest", "importance"] as const).map((one) => (
            <option key={one} value={one} disabled={one === "importance" && Boolean(wanted.known_at)}>
              {t(`sort.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {chips.length > 0 && (
        <ul className="row tight">
          {chips.map((one) => (
            <li key={`${one.name}-${one.value}`}>
              <button type="button" className="chip" aria-label={t("filter.drop", { what: one.label })} onClick={() => onChange(withoutOne(wanted, one))}>
                <Plain text={one.label} /> <Icon name="close" size={14} />
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="link small" onClick={() => onChange({ ...(wanted.q ? { q: wanted.q } : {}), ...(wanted.sort ? { sort: wanted.sort } : {}) })}>
              {t("filter.clear")}
            </button>
          </li>
        </ul>
      )}
      {open && <Filters wanted={wanted} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** A question is answered by recall: ranked, as one page. */
const byRecall = (wanted: Wanted): boolean => Boolean(wanted.q?.trim());

/** What is important is important now: there is no such order of what was known earlier. */
const order = (sort: string | undefined, known: string | undefined): string => (known && sort === "importance" ? "newest" : (sort ?? "newest"));

async function read(wanted: Wanted, cursor: string | null, signal: AbortSignal): Promise<Page<Memory>> {
  const { q, sort, ...filters } = wanted;
  if (!byRecall(wanted)) return call("GET", "/v1/memories", { query: { ...filters, sort: order(sort, filters.known_at), limit: cursor ? PAGE : FIRST, cursor }, signal });
  await new Promise((wake) => setTimeout(wake, 150)); // somebody is still typing, or moving the slider
  signal.throwIfAborted();
  const body = Object.fromEntries(Object.entries(filters).filter(([, value]) => value.length));
  const found = await call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query: q, limit: 50, ...body }, signal });
  return { items: found.items.map((one) => one.memory), next: null };
}

function List({ wanted, selected }: { wanted: Wanted; selected: string | null }) {
  const key = JSON.stringify(wanted);
  const pages = usePages(`memories/${key}`, (cursor, signal) => read(wanted, cursor, signal));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [atTop, setAtTop] = useState(true);
  const [fresh, setFresh] = useState(0);
  const compact = useStore(layout) === "compact";
  useEffect(() => setPicked(new Set()), [key]);
  useChanges(["memory"], (signals) => {
    if (atTop && picked.size === 0) pages.reload();
    else setFresh((old) => old + signals.length);
  });
  const pick = (id: string, yes: boolean) => {
    const next = new Set(picked);
    if (yes) next.add(id);
    else next.delete(id);
    setPicked(next);
  };
  if (pages.error && !pages.items.length) return <Failed error={pages.error} retry={pages.reload} />;
  if (!pages.items.length && pages.loading) return <div className="pad"><Skeleton rows={8} height={64} /></div>;
  if (!pages.items.length) return <Empty icon={wanted.q ? "search" : "book"} title={t("memories.none")}>{t("memories.none_how")}</Empty>;
  return (
    <>
      <div className="list-status">
        {picked.size > 0 ? (
          <Bulk ids={[...picked]} onDone={() => { setPicked(new Set()); pages.reload(); }} onAll={() => setPicked(new Set(pages.items.map((one) => one.id)))} onNone={() => setPicked(new Set())} drop={(ids) => pages.set((items) => items.filter((one) => !ids.includes(one.id)))} restore={pages.reload} />
        ) : fresh > 0 ? (
          <button type="button" className="link" onClick={() => { setFresh(0); pages.reload(); }}>
            {tn("memories.fresh", fresh)}
          </button>
        ) : (
          <span className="muted small" role="status">{tn(pages.done ? "memories.count" : "memories.loaded", pages.items.length)}</span>
        )}
      </div>
      <VirtualList
        items={pages.items}
        row={compact ? 72 : 88}
        label={t("nav.memories")}
        id={(one) => one.id}
        onEnd={pages.more}
        onTop={setAtTop}
        foot={pages.error ? <Failed error={pages.error} retry={pages.reload} /> : !pages.done && <p className="muted small pad">{t("loading")}</p>}
        render={(one) => (
          <div className={`memory-row${one.id === selected ? " here" : ""}`}>
            <input type="checkbox" checked={picked.has(one.id)} aria-label={t("memories.pick", { text: cut(one.text, 60) })} onChange={(event) => pick(one.id, event.target.checked)} />
            <a href={href(["memories", one.id], { ...wanted })} aria-current={one.id === selected ? "true" : undefined}>
              <span className="memory-text">
                {one.key && <span className="key"><Plain text={one.key} /> </span>}
                <Plain text={cut(one.text, 220)} words={wanted.q ? wanted.q.split(/\s+/) : []} />
              </span>
              <Facts memory={one} />
            </a>
          </div>
        )}
      />
    </>
  );
}

interface BulkProps {
  ids: string[];
  onDone: () => void;
  onAll: () => void;
  onNone: () => void;
  drop: (ids: string[]) => void;
  restore: () => void;
}

/** Archive is offered, forgetting is not: everything here can be taken back. */
function Bulk({ ids, onDone, onAll, onNone, drop, restore }: BulkProps) {
  const tags = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { signal }));
  const run = async (action: "archive" | "confirm" | "reject" | "tag", extra: Record<string, unknown> = {}) => {
    if (action === "archive") drop(ids);
    try {
      const receipt = await call<Receipt>("POST", "/v1/memories/bulk", { body: { ids, action, ...extra } });
      tellUndo(tn(`bulk.${action}`, ids.length), receipt, restore);
      onDone();
    } catch (error) {
      restore();
      complain(error);
    }
  };
  const reject = async () => {
    if (await confirm(t("reject.title"), <p>{t("reject.many")}</p>, { yes: word("action", "reject"), danger: true })) void run("reject", { reason: "" });
  };
  return (
    <div className="row tight bulk" role="toolbar" aria-label={t("bulk.label")}>
      <span role="status">{tn("bulk.picked", ids.length)}</span>
      <button type="button" className="quiet" onClick={() => void run("archive")}><Icon name="archive" /> {t("archive")}</button>
      <button type="button" className="quiet" onClick={() => void run("confirm")}><Icon name="check" /> {t("confirm")}</button>
      <button type="button" className="quiet" onClick={() => void reject()}><Icon name="close" /> {t("reject")}</button>
      <select aria-label={t("bulk.tag_with")} value="" onChange={(event) => event.target.value && void run("tag", { tags: [event.target.value] })}>
        <option value="">{t("bulk.tag_with")}</option>
        {tags.data?.items.map((one) => <option key={one.id} value={one.name}>{one.name}</option>)}
      </select>
      <button type="button" className="link small" onClick={onAll}>{t("bulk.all")}</button>
      <button type="button" className="link small" onClick={onNone}>{t("bulk.none")}</button>
    </div>
  );
}
