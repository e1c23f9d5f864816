import { useEffect, useId, useState } from "react";
import { call, part } from "../api/client";
import { useResource } from "../api/resource";
import type { Day, Hint, Hit, Memory, Page, Receipt, Waiting } from "../api/types";
import { Columns } from "../charts/Columns";
import { daysBetween } from "../charts/scale";
import { number } from "../format";
import { t, tn, word } from "../i18n";
import { Card, Meter, Screen, When } from "../parts/bits";
import { Icon } from "../parts/icons";
import { MemoryLink, Quotes } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { Empty, Failed, Show, Skeleton } from "../parts/states";
import { go, href, usePlace } from "../router";
import { namespace } from "../session";
import { useStore } from "../store";
import { Plain } from "../text/Plain";

export function Home() {
  const query = usePlace().query.get("q") ?? "";
  const id = useId();
  const search = (text: string) => go(href("", { q: text }), "replace");
  return (
    <Screen title={t("home.title")}>
      <search className="searching">
        <label htmlFor={id} className="visually-hidden">
          {t("home.search")}
        </label>
        <Icon name="search" />
        <input id={id} type="search" placeholder={t("home.search")} value={query} autoComplete="off" maxLength={2000} onChange={(event) => search(event.target.value)} />
      </search>
      {query.trim() ? <Answers query={query.trim()} /> : <Overview />}
    </Screen>
  );
}

function Answers({ query }: { query: string }) {
  const space = useStore(namespace);
  const [state, setState] = useState<{ hits?: Hit[]; error?: unknown; query: string }>({ query: "" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query, limit: 12, explain: true }, signal: stop.signal }).then(
        (answer) => setState({ hits: answer.items, query }),
        (error: unknown) => {
          if (!stop.signal.aborted) setState({ error, query });
        },
      );
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query, space, turn]);
  if (state.error) return <Failed error={state.error} retry={() => setTurn(turn + 1)} />;
  if (!state.hits) return <Skeleton rows={5} height={72} />;
  return (
    <section aria-label={t("home.results")}>
      <p className="muted small" role="status">
        {tn("home.found", state.hits.length)}
      </p>
      {state.hits.length === 0 ? (
        <Empty icon="search" title={t("home.nothing")} />
      ) : (
        <ul className="hits">
          {state.hits.map((hit) => (
            <li key={hit.memory.id} className="card">
              <MemoryLink memory={hit.memory} words={[...state.query.split(/\s+/), ...(hit.why?.terms ?? [])]} />
              {hit.why && <Explained hit={hit} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Explained({ hit }: { hit: Hit }) {
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

function Overview() {
  return (
    <div className="home-grid">
      <Hints />
      <Growth />
      <Fresh />
      <div className="stack">
        <ReviewWaiting />
        <Forgotten />
      </div>
    </div>
  );
}

function Hints() {
  const hints = useResource("hints", (signal) => call<Page<Hint>>("GET", "/v1/hints", { signal }), ["memory"]);
  const [open, setOpen] = useState<string | null>(null);
  if (hints.error || !hints.data?.items.length) return null; // a plan without hints, or none yet: nothing to say
  const { items, next } = hints.data;
  const dismiss = async (hint: Hint) => {
    hints.set({ items: items.filter((one) => one.id !== hint.id), next });
    try {
      const receipt = await call<Receipt>("DELETE", `/v1/hints/${part(hint.id)}`);
      tellUndo(t("hint.dismissed"), receipt, hints.reload);
    } catch (error) {
      hints.set({ items, next });
      complain(error);
    }
  };
  const shown = items.find((one) => one.id === open);
  return (
    <Card title={t("hint.title")} tone="span">
      <ul className="row">
        {items.map((one) => (
          <li key={one.id} className="hint">
            <button type="button" className="chip" aria-expanded={one.id === open} aria-pressed={one.id === open} onClick={() => setOpen(one.id === open ? null : one.id)}>
              <Icon name="spark" size={14} />
              <Plain text={one.text.slice(0, 160)} />
            </button>
            <button type="button" className="icon-button" aria-label={t("hint.dismiss", { text: one.text.slice(0, 60) })} title={t("hint.dismiss_short")} onClick={() => void dismiss(one)}>
              <Icon name="close" size={16} />
            </button>
          </li>
        ))}
      </ul>
      {shown && <HintEvidence hint={shown} />}
    </Card>
  );
}

function HintEvidence({ hint }: { hint: Hint }) {
  const proof = useResource(`evidence/${hint.id}`, async (signal) =>
    hint.evidence?.[0]?.episode?.id ? hint.evidence : (await call<Page<NonNullable<Hint["evidence"]>[number]>>("GET", `/v1/memories/${part(hint.id)}/evidence`, { signal })).items,
  );
  return (
    <div className="stack">
      <p className="small muted">{t("hint.because")}</p>
      <Show of={proof} rows={1}>
        {(items) => <Quotes evidence={items} />}
      </Show>
    </div>
  );
}

const DAYS = 30;

function Growth() {
  const since = new Date(Date.now() - (DAYS - 1) * 86_400_000);
  const from = since.toISOString().slice(0, 10);
  const days = useResource(`timeline/${from}`, (signal) => call<Page<Day>>("GET", "/v1/timeline", { query: { since: `${from}T00:00:00Z`, limit: 100 }, signal }), ["memory"]);
  return (
    <Card title={t("home.growth")}>
      <Show of={days} rows={1} height={200}>
        {({ items }) => {
          const known = new Map(items.map((one) => [one.day.slice(0, 10), one]));
          const columns = daysBetween(since, new Date()).map((name) => {
            const one = known.get(name);
            return { day: name, values: [one?.learned ?? 0, one?.episodes ?? 0] };
          });
          return <Columns columns={columns} names={[t("home.learned"), t("home.episodes")]} label={t("home.growth")} />;
        }}
      </Show>
    </Card>
  );
}

function Fresh() {
  const fresh = useResource("fresh", (signal) => call<Page<Memory>>("GET", "/v1/memories", { query: { sort: "newest", limit: 6 }, signal }), ["memory"]);
  return (
    <Card title={t("home.new")} action={<a href={href("memories")}>{t("home.all")}</a>}>
      <Show of={fresh} rows={6}>
        {({ items }) =>
          items.length ? (
            <ul className="lines">
              {items.map((one) => (
                <li key={one.id}>
                  <MemoryLink memory={one} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={t("home.empty")}>{t("home.empty_how")}</Empty>
          )
        }
      </Show>
    </Card>
  );
}

function ReviewWaiting() {
  const waiting = useResource("review/first", (signal) => call<Page<Waiting>>("GET", "/v1/review", { query: { limit: 4 }, signal }), ["memory"]);
  return (
    <Card title={t("home.review")} action={<a href={href("review")}>{t("home.review_go")}</a>}>
      <Show of={waiting} rows={2}>
        {({ items, next }) =>
          items.length ? (
            <>
              <p className="muted small">{next ? t("home.review_many", { n: number(items.length) }) : tn("home.review_count", items.length)}</p>
              <ul className="lines">
                {items.slice(0, 3).map((one) => (
                  <li key={one.memory.id}>
                    <MemoryLink memory={one.memory} />
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
  const gone = useResource("forgotten", (signal) => call<Page<Receipt>>("GET", "/v1/receipts", { query: { actions: ["FORGET", "ERASE"], limit: 5 }, signal }), ["memory"]);
  return (
    <Card title={t("home.forgotten")}>
      <Show of={gone} rows={2}>
        {({ items }) =>
          items.length ? (
            <ul className="lines">
              {items.map((one) => (
                <li key={one.ref} className="row between">
                  <span>{tn("home.forgot", one.ids.length || 1)}</span>
                  <span className="muted small">
                    <When at={one.at} />
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
