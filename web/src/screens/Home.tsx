import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { call, part } from "../api/client";
import { useResource } from "../api/query";
import { byRelevance, matchedWords } from "../api/recall";
import type { Day, Hint, Hit, Memory, Page, EvidenceQuote, Receipt } from "../api/types";
import { Columns } from "../charts/Columns";
import { daysBetween } from "../charts/scale";
import { t, word } from "../i18n";
import { go, useQueryString } from "../navigation";
import { Card, Meter, Screen, When } from "../parts/bits";
import { useDelayed } from "../parts/delay";
import { Icon } from "../parts/icons";
import { MemoryLink, Quotes } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { Empty, Failed, Show, Skeleton } from "../parts/states";
import { href } from "../router";
import { useWaiting } from "../api/waiting";
import { namespace } from "../session";
import { useStore } from "../store";
import { Plain } from "../text/Plain";
import { AgendaList, useAgenda } from "../parts/AgendaList";
import { FirstSteps, SampleBanner } from "./FirstSteps";
import { SyncNote } from "./SyncCard";

export function Home() {
  const query = useQueryString().get("q") ?? "";
  const id = useId();
  return (
    <Screen title={t("home.title")}>
      <search className="searching">
        <label htmlFor={id} className="visually-hidden">
          {t("home.search")}
        </label>
        <Icon name="search" />
        <input id={id} type="search" placeholder={t("home.search")} value={query} autoComplete="off" maxLength={2000} onChange={(event) => go(href("", { q: event.target.value }), "replace")} />
      </search>
      {query.trim() ? <Answers query={query.trim()} /> : <Overview />}
    </Screen>
  );
}

/** How many hits are read; when all of them fit, there may be more. */
const HITS = 12;

function Answers({ query }: { query: string }) {
  const space = useStore(namespace);
  const asked = useDelayed(query, 120);
  const recall = useQuery({
    queryKey: [space, "recall", asked],
    queryFn: async ({ signal }) => ({ query: asked, ...(await call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query: asked, limit: HITS, explain: true }, signal })) }),
    placeholderData: (before) => before,
    meta: { nouns: ["memory"] },
  });
  const [all, setAll] = useState(false);
  if (recall.error) return <Failed error={recall.error} retry={() => void recall.refetch()} />;
  if (!recall.data) return <Skeleton rows={5} height={72} />;
  const { items } = recall.data;
  const { relevant, weak } = byRelevance(items);
  const words = matchedWords(recall.data.query, relevant);
  const list = (hits: Hit[]) => (
    <ul className="hits">
      {hits.map((hit) => (
        <li key={hit.memory.id} className="card">
          <MemoryLink memory={hit.memory} words={words} />
          {hit.why && <Explanation hit={hit} />}
        </li>
      ))}
    </ul>
  );
  return (
    <section aria-label={t("home.results")} className="stack">
      <p className={relevant.length ? "muted small" : "visually-hidden"} role="status">
        {relevant.length ? t(relevant.length < HITS ? "home.found" : "home.best", { n: relevant.length }) : t("home.nothing")}
      </p>
      {relevant.length ? list(relevant) : <Empty icon="search" title={t("home.nothing")}>{t("home.nothing_how")}</Empty>}
      {weak.length > 0 && (
        <>
          <p>
            <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
              {t("home.weak", { n: weak.length })}
            </button>
          </p>
          {all && list(weak)}
        </>
      )}
    </section>
  );
}

function Explanation({ hit }: { hit: Hit }) {
  const why = hit.why!;
  const lists = Object.keys(why.lists);
  const parts = Object.entries(why.parts).filter(([, value]) => value !== 0);
  const most = Math.max(...parts.map(([, value]) => Math.abs(value)), 1e-9);
  return (
    <details>
      <summary>{t("why.title")}</summary>
      <div className="why">
        {lists.length > 0 && <p className="small">{t("why.lists", { lists: lists.map((name) => word("part", name)).join(", ") })}</p>}
        {why.terms.length > 0 && (
          <p className="small">
            {t("why.terms")} <Plain text={why.terms.join(", ")} />
          </p>
        )}
        <table>
          <caption className="visually-hidden">{t("why.parts")}</caption>
          <tbody>
            {parts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{word("part", name)}</th>
                <td>
                  <Meter value={Math.abs(value) / most} label={word("part", name)} />
                </td>
                <td className="number end">{value.toFixed(3)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{t("why.score")}</th>
              <td />
              <td className="number end">{hit.score.toFixed(3)}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </details>
  );
}

const NEWEST = 6;

function Overview() {
  const newest = useResource("newest", (signal) => call<Page<Memory>>("GET", "/v1/memories", { query: { sort: "newest", limit: NEWEST }, signal }), ["memory"]);
  if (newest.data?.items.length === 0) return <FirstSteps />;
  return (
    <div className="home-grid">
      <SampleBanner />
      <Hints />
      <AgendaCard />
      <Growth />
      <Card title={t("home.new")} action={<a href={href("memories")}>{t("home.all")}</a>}>
        <Show of={newest} rows={NEWEST}>
          {({ items }) => (
            <ul className="lines">
              {items.map((memory) => (
                <li key={memory.id}>
                  <MemoryLink memory={memory} />
                </li>
              ))}
            </ul>
          )}
        </Show>
      </Card>
      <div className="stack">
        <ReviewWaiting />
        <SyncNote />
        <Forgotten />
      </div>
    </div>
  );
}

function Hints() {
  const hints = useResource("hints", (signal) => call<Page<Hint>>("GET", "/v1/hints", { signal }), ["memory"]);
  const [open, setOpen] = useState<string | null>(null);
  if (hints.error || !hints.data?.items.length) return null; // a plan without hints, or none yet
  const { items, next } = hints.data;
  const dismiss = async (hint: Hint) => {
    hints.set({ items: items.filter(({ id }) => id !== hint.id), next });
    try {
      const receipt = await call<Receipt>("DELETE", `/v1/hints/${part(hint.id)}`);
      tellUndo(t("hint.dismissed"), receipt, hints.reload);
    } catch (error) {
      hints.set({ items, next });
      complain(error);
    }
  };
  const opened = items.find(({ id }) => id === open);
  return (
    <Card title={t("hint.title")} tone="span">
      <ul className="row">
        {items.map((hint) => (
          <li key={hint.id} className="hint">
            <button type="button" className="chip" aria-expanded={hint.id === open} aria-pressed={hint.id === open} onClick={() => setOpen(hint.id === open ? null : hint.id)}>
              <Icon name="spark" size={14} />
              <Plain text={hint.text.slice(0, 160)} />
            </button>
            <button type="button" className="icon-button" aria-label={t("hint.dismiss", { text: hint.text.slice(0, 60) })} title={t("hint.dismiss_short")} onClick={() => void dismiss(hint)}>
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
      </ul>
      {opened && <HintEvidence hint={opened} />}
    </Card>
  );
}

function HintEvidence({ hint }: { hint: Hint }) {
  const proof = useResource(`evidence/${hint.id}`, (signal) => call<Page<EvidenceQuote>>("GET", `/v1/memories/${part(hint.id)}/evidence`, { signal }));
  return (
    <div className="stack">
      <p className="small muted">{t("hint.because")}</p>
      <Show of={proof} rows={1}>
        {({ items }) => <Quotes evidence={items} />}
      </Show>
    </div>
  );
}

const AGENDA_LINES = 4;

/** The next things that are owed or due; nothing when there is none. */
function AgendaCard() {
  const agenda = useAgenda();
  if (!agenda.data?.items.length) return null;
  return (
    <Card title={t("nav.agenda")} tone="span" action={<a href={href("agenda")}>{t("home.agenda_all")}</a>}>
      <AgendaList items={agenda.data.items.slice(0, AGENDA_LINES)} agenda={agenda} />
    </Card>
  );
}

const DAYS = 30;

function Growth() {
  const since = new Date(Date.now() - (DAYS - 1) * 86_400_000);
  const from = since.toISOString().slice(0, 10);
  const days = useResource(`timeline/${from}`, (signal) => call<Page<Day>>("GET", "/v1/timeline", { query: { since: `${from}T00:00:00Z`, limit: 100 }, signal }), ["memory"]);
  return (
    <Card title={t("home.growth")} tone="span">
      <Show of={days} rows={1} height={200}>
        {({ items }) => {
          const known = new Map(items.map((day) => [day.day.slice(0, 10), day]));
          const columns = daysBetween(since, new Date()).map((name) => ({ day: name, values: [known.get(name)?.learned ?? 0, known.get(name)?.episodes ?? 0] }));
          return <Columns columns={columns} names={[t("home.learned"), t("home.episodes")]} label={t("home.growth")} />;
        }}
      </Show>
    </Card>
  );
}

function ReviewWaiting() {
  const waiting = useWaiting();
  return (
    <Card title={t("home.review")} action={<a href={href("review")}>{t("home.review_go")}</a>}>
      <Show of={waiting} rows={2}>
        {({ items, total }) =>
          items.length ? (
            <>
              <p className="muted small">{t("home.review_count", { n: total ?? items.length })}</p>
              <ul className="lines">
                {items.map(({ memory }) => (
                  <li key={memory.id}>
                    <MemoryLink memory={memory} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <p className="muted">{t("home.review_none")}</p>
          )
        }
      </Show>
    </Card>
  );
}

function Forgotten() {
  const receipts = useResource("forgotten", (signal) => call<Page<Receipt>>("GET", "/v1/receipts", { query: { actions: ["FORGET", "ERASE"], limit: 5 }, signal }), ["memory"]);
  return (
    <Card title={t("home.forgotten")}>
      <Show of={receipts} rows={2}>
        {({ items }) =>
          items.length ? (
            <ul className="lines">
              {items.map((receipt) => (
                <li key={receipt.ref} className="row between">
                  <span>{receipt.action === "ERASE" ? t(receipt.changes.some(({ noun }) => noun === "namespace") ? "namespaces.deleted" : "home.erased") : t("home.forgot", { n: receipt.ids.length || 1 })}</span>
                  <span className="muted small">
                    <When at={receipt.at} />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="muted">{t("home.forgotten_none")}</p>
          )
        }
      </Show>
    </Card>
  );
}
