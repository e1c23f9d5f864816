import { useEffect, useMemo, useState } from "react";
import { call } from "../api/client";
import { useChanges } from "../api/events";
import { usePages, useResource } from "../api/query";
import { byRelevance, matchedWords } from "../api/recall";
import type { Hit, Memory, Page, Receipt, Tag } from "../api/types";
import { layout } from "../display";
import { number } from "../format";
import { t } from "../i18n";
import { VirtualList } from "../list/VirtualList";
import { go, useQueryString, useRouteId } from "../navigation";
import { panel } from "../panels";
import { confirm } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Facts, isShared, memoryHref } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { useNarrow } from "../parts/size";
import { Empty, Failed, Skeleton } from "../parts/states";
import { href } from "../router";
import { namespace, switchNamespace } from "../session";
import { useStore } from "../store";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { chips, filterFrom, Filters, kindsOf, SHOWN, withoutChip, type Filter } from "./Filters";
import { MemoryDetail } from "./MemoryDetail";
import { Views } from "./Views";

/** The first page is a little more than what fits a screen, so that it is there sooner. */
const FIRST = 40;
const PAGE = 100;
/** A question is answered with at most so many. */
const HITS = 50;

export function Memories() {
  const query = useQueryString();
  const text = query.toString();
  const [space, other] = [useStore(namespace), query.get("in")];
  const filter = useMemo(() => filterFrom(new URLSearchParams(text)), [text]);
  const id = useRouteId();
  const narrow = useNarrow(1100);
  const empty = useTotal({})([]) === 0;
  useEffect(() => {
    if (!other) return;
    switchNamespace(other);
    go(href(["memories", ...(id ? [id] : [])]), "replace");
  }, [other, id]);
  const change = (next: Filter) => go(href(["memories", ...(id ? [id] : [])], { ...next }), "replace");
  if (other && other !== space) return null; // a memory of a shared namespace: it is opened there
  return (
    <div className={`split${id ? " open" : ""}`}>
      <div className="split-list" inert={narrow && id !== null}>
        <header className="list-head">
          <div className="row between">
            <h1 tabIndex={-1}>{t("nav.memories")}</h1>
            <button type="button" className="primary" onClick={() => panel.set("add")}>
              <Icon name="plus" /> {t("memories.add")}
            </button>
          </div>
          <Toolbar filter={filter} onChange={change} />
        </header>
        <List filter={filter} selected={id} onChange={change} />
      </div>
      {id ? (
        <MemoryDetail key={id} id={id} alone={narrow} back={href("memories", { ...filter })} />
      ) : (
        !narrow && (
          <div className="split-none">
            {!empty && <Empty icon="book" title={t("memories.choose")}>{t("memories.choose_how")}</Empty>}
          </div>
        )
      )}
    </div>
  );
}

function Toolbar({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const [open, setOpen] = useState(false);
  const active = chips(filter);
  return (
    <div className="toolbar">
      <div className="row tight nowrap">
        <search className="searching grow">
          <Icon name="search" />
          <input type="search" aria-label={t("memories.search")} placeholder={t("memories.search")} value={filter.q ?? ""} onChange={(event) => onChange({ ...filter, q: event.target.value })} />
        </search>
        <button type="button" aria-haspopup="dialog" aria-label={t("filter.title")} onClick={() => setOpen(true)}>
          <Icon name="filter" /> <span className="wide-only">{t("filter.title")}</span>
          {active.length > 0 && <span className="badge accent">{active.length}</span>}
        </button>
        <select aria-label={t("sort")} value={order(filter)} disabled={isQuestion(filter)} onChange={(event) => onChange({ ...filter, sort: event.target.value })}>
          {(["newest", "oldest", "importance"] as const).map((name) => (
            <option key={name} value={name} disabled={name === "importance" && Boolean(filter.known_at)}>
              {t(`sort.${name}`)}
            </option>
          ))}
        </select>
      </div>
      <Kinds filter={filter} onChange={onChange} />
      {active.length > 0 && (
        <ul className="row tight">
          {active.map((chip) => (
            <li key={`${chip.name}-${chip.value}`}>
              <button type="button" className="chip" aria-label={t("filter.drop", { what: chip.label })} onClick={() => onChange(withoutChip(filter, chip))}>
                <Plain text={chip.label} /> <Icon name="close" size={14} />
              </button>
            </li>
          ))}
          <li>
            <button type="button" className="link small" onClick={() => onChange({ ...(filter.q ? { q: filter.q } : {}), ...(filter.sort ? { sort: filter.sort } : {}), ...(filter.show ? { show: filter.show } : {}) })}>
              {t("filter.clear")}
            </button>
          </li>
        </ul>
      )}
      <Views filter={filter} />
      {open && <Filters filter={filter} onChange={onChange} onClose={() => setOpen(false)} />}
    </div>
  );
}

const subset = <K extends keyof Filter>(filter: Filter, names: readonly K[]): Pick<Filter, K> => Object.fromEntries(names.filter((name) => filter[name]?.length).map((name) => [name, filter[name]])) as Pick<Filter, K>;

/** How many memories of these kinds the filter leaves; null where only reading them tells (a question, an earlier time). */
function useTotal(filter: Filter): (kinds: readonly string[]) => number | null {
  const query = subset(filter, ["categories", "statuses", "sources", "tags", "namespaces", "since", "until"]);
  const counts = useResource(`counts/${JSON.stringify(query)}`, (signal) => call<Record<string, number>>("GET", "/v1/memories/counts", { query, signal }), ["memory"]);
  const known = filter.as_of || filter.known_at ? undefined : counts.data;
  return (kinds) => (known ? Object.entries(known).reduce((sum, [kind, many]) => (!kinds.length || kinds.includes(kind) ? sum + many : sum), 0) : null);
}

/** Facts and messages apart, each with how many there are. */
function Kinds({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const total = useTotal(filter);
  const current = filter.kinds?.length ? null : (filter.show ?? "facts");
  const shown = (name: keyof typeof SHOWN) => {
    const many = total(SHOWN[name]);
    return many !== null && <span className="muted">{number(many)}</span>;
  };
  return (
    <div className="row tight kinds" role="group" aria-label={t("filter.kind")}>
      {(Object.keys(SHOWN) as (keyof typeof SHOWN)[]).map((name) => (
        <button key={name} type="button" className="chip" aria-pressed={current === name} onClick={() => onChange({ ...filter, kinds: [], show: name === "facts" ? "" : name })}>
          {t(`memories.${name}`)} {shown(name)}
        </button>
      ))}
    </div>
  );
}

/** A question is answered by recall: ranked, as one page. */
const isQuestion = (filter: Filter): boolean => Boolean(filter.q?.trim());

/** Importance is a value of now: there is no such order of what was known earlier. */
const order = ({ sort, known_at }: Filter): string => (known_at && sort === "importance" ? "newest" : (sort ?? "newest"));

interface Row {
  memory: Memory;
  words: readonly string[];
  weak: boolean;
}

async function read(filter: Filter, cursor: string | null, signal: AbortSignal): Promise<Page<Row>> {
  const fields = subset(filter, ["categories", "statuses", "sources", "tags", "namespaces", "since", "until", "as_of", "known_at"]);
  const kinds = kindsOf(filter);
  if (!isQuestion(filter)) {
    const page = await call<Page<Memory>>("GET", "/v1/memories", { query: { ...fields, kinds, sort: order(filter), limit: cursor ? PAGE : FIRST, cursor }, signal });
    return { items: page.items.map((memory) => ({ memory, words: [], weak: false })), next: page.next };
  }
  await new Promise((wake) => setTimeout(wake, 150)); // somebody is still typing, or moving the slider
  signal.throwIfAborted();
  const body = Object.fromEntries(Object.entries({ ...fields, kinds }).filter(([, value]) => value.length));
  const { items } = await call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query: filter.q, limit: HITS, explain: true, ...body }, signal });
  const { relevant } = byRelevance(items);
  const words = matchedWords(filter.q!, relevant);
  return { items: items.map((hit) => ({ memory: hit.memory, words, weak: !relevant.includes(hit) })), next: null };
}

function List({ filter, selected, onChange }: { filter: Filter; selected: string | null; onChange: (next: Filter) => void }) {
  const key = JSON.stringify(filter);
  const pages = usePages(`memories/${key}`, (cursor, signal) => read(filter, cursor, signal));
  const total = useTotal(filter)(kindsOf(filter));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [atTop, setAtTop] = useState(true);
  const [fresh, setFresh] = useState(0);
  const [weakShown, setWeakShown] = useState(false);
  const compact = useStore(layout) === "compact";
  useEffect(() => {
    setPicked(new Set());
    setWeakShown(false);
  }, [key]);
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
  if (!pages.items.length) return <NothingHere filter={filter} onChange={onChange} />;
  const weak = pages.items.filter((row) => row.weak).length;
  const rows = weakShown ? pages.items : pages.items.filter((row) => !row.weak);
  return (
    <>
      <div className={`list-status${picked.size ? " picking" : ""}`}>
        {picked.size > 0 ? (
          <Bulk
            ids={[...picked]}
            onDone={() => {
              setPicked(new Set());
              pages.reload();
            }}
            onAll={() => setPicked(new Set(rows.map(({ memory }) => memory.id)))}
            onNone={() => setPicked(new Set())}
            drop={(ids) => pages.set((items) => items.filter(({ memory }) => !ids.includes(memory.id)))}
            restore={pages.reload}
          />
        ) : fresh > 0 ? (
          <button type="button" className="link" onClick={() => { setFresh(0); pages.reload(); }}>
            {t("memories.fresh", { n: fresh })}
          </button>
        ) : (
          <span className="row between grow">
            <span className="muted small" role="status">
              {!rows.length ? t("home.nothing") : listStatus(filter, rows.length, pages.complete, total)}
            </span>
            {weak > 0 && !weakShown && <button type="button" className="link small" onClick={() => setWeakShown(true)}>{t("home.weak", { n: weak })}</button>}
          </span>
        )}
      </div>
      {rows.length === 0 ? (
        <Empty icon="search" title={t("home.nothing")}>{t("home.nothing_how")}</Empty>
      ) : (
        <VirtualList
          items={rows}
          row={compact ? 58 : 66}
          label={t("nav.memories")}
          id={({ memory }) => memory.id}
          onEnd={pages.more}
          onTop={setAtTop}
          foot={pages.error ? <Failed error={pages.error} retry={pages.reload} /> : !pages.complete && <p className="muted small pad">{t("loading")}</p>}
          render={({ memory, words }) => (
            <div className={`memory-row${memory.id === selected ? " here" : ""}`}>
              <input type="checkbox" checked={picked.has(memory.id)} aria-label={t("memories.pick", { text: cut(memory.text, 60) })} onChange={(event) => pick(memory.id, event.target.checked)} />
              <a href={isShared(memory) ? memoryHref(memory) : href(["memories", memory.id], { ...filter })} aria-current={memory.id === selected ? "true" : undefined}>
                <span className="memory-text">
                  {memory.key && <span className="key"><Plain text={memory.key} /> </span>}
                  <Plain text={cut(memory.text, 220)} words={words} />
                </span>
                <Facts memory={memory} namespaces />
              </a>
            </div>
          )}
        />
      )}
    </>
  );
}

/** How many there are: of a list its true total, of a question at least what was found. */
function listStatus(filter: Filter, loaded: number, complete: boolean, total: number | null): string {
  if (isQuestion(filter)) return t(loaded < HITS ? "home.found" : "home.best", { n: loaded });
  if (complete) return t("memories.count", { n: loaded });
  return total === null ? t("memories.loaded", { n: loaded }) : t("memories.count", { n: total });
}

function NothingHere({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const narrowed = chips(filter).length > 0 || filter.show !== "all";
  const empty = useTotal({})([]) === 0;
  if (empty && !filter.q) {
    return (
      <Empty icon="book" title={t("home.empty")}>
        <p>{t("memories.empty_how")}</p>
        <a className="button" href={href("")}>{t("nav.home")}</a>
      </Empty>
    );
  }
  return (
    <Empty icon={filter.q ? "search" : "book"} title={filter.q ? t("home.nothing") : t("memories.none")}>
      <p>{t("memories.none_how")}</p>
      {narrowed && (
        <button type="button" onClick={() => onChange({ ...(filter.q ? { q: filter.q } : {}), show: "all" })}>{t("memories.show_all")}</button>
      )}
    </Empty>
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

/** Archiving is offered, forgetting is not: everything here can be undone. */
function Bulk({ ids, onDone, onAll, onNone, drop, restore }: BulkProps) {
  const tags = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { signal }));
  const run = async (action: "archive" | "confirm" | "reject" | "tag", extra: Record<string, unknown> = {}) => {
    if (action === "archive") drop(ids);
    try {
      const receipt = await call<Receipt>("POST", "/v1/memories/bulk", { body: { ids, action, ...extra } });
      tellUndo(t(`bulk.${action}`, { n: ids.length }), receipt, restore);
      onDone();
    } catch (error) {
      restore();
      complain(error);
    }
  };
  const reject = async () => {
    if (await confirm(t("reject.title"), <p>{t("reject.many")}</p>, { yes: t("reject"), danger: true })) void run("reject", { reason: "" });
  };
  return (
    <div className="row tight bulk" role="toolbar" aria-label={t("bulk.label")}>
      <span role="status">{t("bulk.picked", { n: ids.length })}</span>
      <button type="button" className="quiet" onClick={() => void run("archive")}><Icon name="archive" /> {t("archive")}</button>
      <button type="button" className="quiet" onClick={() => void run("confirm")}><Icon name="check" /> {t("confirm")}</button>
      <button type="button" className="quiet" onClick={() => void reject()}><Icon name="close" /> {t("reject")}</button>
      <select aria-label={t("bulk.tag_with")} value="" onChange={(event) => event.target.value && void run("tag", { tags: [event.target.value] })}>
        <option value="">{t("bulk.tag_with")}</option>
        {tags.data?.items.map(({ id, name }) => <option key={id} value={name}>{name}</option>)}
      </select>
      <button type="button" className="link small" onClick={onAll}>{t("bulk.all")}</button>
      <button type="button" className="link small" onClick={onNone}>{t("bulk.none")}</button>
    </div>
  );
}
