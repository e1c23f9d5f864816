import { useState } from "react";
import { call, part } from "../api/client";
import { usePages, useResource } from "../api/query";
import type { Day, Memory, Page, EvidenceQuote } from "../api/types";
import { Columns, type Column } from "../charts/Columns";
import { daysBetween } from "../charts/scale";
import { day as dayName, time } from "../format";
import { t } from "../i18n";
import { Card, Screen } from "../parts/bits";
import { Icon } from "../parts/icons";
import { MemoryLink } from "../parts/memory";
import { Empty, Failed, Show, Skeleton } from "../parts/states";
import { go, useQueryString } from "../navigation";
import { href } from "../router";
import { Long, Plain } from "../text/Plain";
import { isId } from "../text/plain";

/** Days, what was said on each, and what was learned from it. */
export function Timeline() {
  const query = useQueryString();
  const [until, setUntil] = useState("");
  const pages = usePages(`timeline/${until}`, (cursor, signal) => call<Page<Day>>("GET", "/v1/timeline", { query: { limit: 60, cursor, until: until ? `${until}T23:59:59Z` : null }, signal }));
  const open = query.get("day");
  const days = [...pages.items].sort((a, b) => (a.day < b.day ? 1 : -1));
  return (
    <Screen
      title={t("nav.timeline")}
      lead={t("timeline.lead")}
      action={
        <label className="row tight">
          <span className="muted small">{t("timeline.until")}</span>
          <input type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
        </label>
      }
    >
      {pages.error && !days.length ? (
        <Failed error={pages.error} retry={pages.reload} />
      ) : pages.loading && !days.length ? (
        <Skeleton rows={6} />
      ) : !days.length ? (
        <Empty icon="timeline" title={t("timeline.none")}>{t("timeline.none_how")}</Empty>
      ) : (
        <>
          <Card>
            <Columns columns={columns(days)} names={[t("home.learned"), t("home.episodes")]} label={t("nav.timeline")} height={128} />
          </Card>
          <ol className="days">
            {days.map((one) => (
              <li key={one.day}>
                <button type="button" className="day-head" aria-expanded={open === one.day} onClick={() => go(href("timeline", { day: open === one.day ? null : one.day }), "replace")}>
                  <Icon name={open === one.day ? "down" : "chevron"} size={16} />
                  <span className="day-words">
                    <span className="day-name">{dayName(one.day)}</span>
                    <span className="muted small">
                      {[one.episodes && t("timeline.episodes", { n: one.episodes }), one.learned && t("timeline.learned", { n: one.learned }), one.forgotten && t("timeline.forgotten", { n: one.forgotten })].filter(Boolean).join(" · ")}
                    </span>
                  </span>
                </button>
                {open === one.day && <OneDay day={one.day.slice(0, 10)} />}
              </li>
            ))}
          </ol>
          {!pages.complete && (
            <button type="button" onClick={pages.more} disabled={pages.loading}>{t("more")}</button>
          )}
        </>
      )}
    </Screen>
  );
}

/** The last weeks without a gap, so that quiet days are seen too; at least two weeks of them. */
function columns(days: Day[]): Column[] {
  const known = new Map(days.map((one) => [one.day.slice(0, 10), one]));
  const last = new Date(days[0]!.day.slice(0, 10));
  const first = Math.min(Date.parse(days[days.length - 1]!.day.slice(0, 10)), last.getTime() - 13 * DAY);
  return daysBetween(new Date(Math.max(first, last.getTime() - 89 * DAY)), last).map((day) => ({
    day,
    values: [known.get(day)?.learned ?? 0, known.get(day)?.episodes ?? 0],
  }));
}

const DAY = 86_400_000;

interface Told {
  sessions: Map<string, Memory[]>;
  learned: Map<string, Memory[]>;
  rest: Memory[];
}

/** What was said that day, and each thing learned under the words it rests on. */
async function read(day: string, signal: AbortSignal): Promise<Told> {
  const query = { since: `${day}T00:00:00Z`, until: `${day}T23:59:59.999Z`, limit: 200 };
  const [episodes, learned] = await Promise.all([
    call<Page<Memory>>("GET", "/v1/episodes", { query, signal }),
    call<Page<Memory>>("GET", "/v1/memories", { query: { ...query, kinds: ["core", "associative", "relational", "proactive"], sort: "oldest" }, signal }),
  ]);
  const out: Told = { sessions: new Map(), learned: new Map(), rest: [] };
  const when = (one: Memory): string => one.turn?.said_at ?? one.recorded_at;
  for (const one of [...episodes.items].sort((a, b) => when(a).localeCompare(when(b)))) {
    const name = one.turn?.session ?? "";
    out.sessions.set(name, [...(out.sessions.get(name) ?? []), one]);
  }
  const known = new Set(episodes.items.map((one) => one.id));
  const proofs = await Promise.all(
    learned.items.slice(0, 60).map((one) => call<Page<EvidenceQuote>>("GET", `/v1/memories/${part(one.id)}/evidence`, { signal }).then((page) => page.items, () => [])),
  );
  learned.items.forEach((one, at) => {
    const from = proofs[at]?.find((proof) => known.has(proof.episode.id))?.episode.id;
    if (from) out.learned.set(from, [...(out.learned.get(from) ?? []), one]);
    else out.rest.push(one);
  });
  return out;
}

function OneDay({ day }: { day: string }) {
  const told = useResource(`day/${day}`, (signal) => read(day, signal), ["memory"]);
  return (
    <div className="day-body">
      <Show of={told} rows={3}>
        {({ sessions, learned, rest }) => (
          <>
            {[...sessions].map(([name, episodes]) => (
              <section key={name} className="session">
                {name && !isId(name) && <h2><Plain text={name} /></h2>}
                <ol>
                  {episodes.map((one) => (
                    <li key={one.id} className="episode">
                      <p className="small muted">
                        {one.turn?.speaker && <Plain text={one.turn.speaker} />} <a href={href(["memories", one.id])}>{time(one.turn?.said_at ?? one.recorded_at)}</a>
                      </p>
                      <p className="memory-text"><Long text={one.text} first={400} /></p>
                      {learned.has(one.id) && (
                        <ul className="learned" aria-label={t("home.learned")}>
                          {learned.get(one.id)!.map((memory) => (
                            <li key={memory.id}><MemoryLink memory={memory} /></li>
                          ))}
                        </ul>
                      )}
                    </li>
                  ))}
                </ol>
              </section>
            ))}
            {rest.length > 0 && (
              <section className="session">
                <h2>{t("timeline.stated")}</h2>
                <ul className="learned">
                  {rest.map((memory) => (
                    <li key={memory.id}><MemoryLink memory={memory} /></li>
                  ))}
                </ul>
              </section>
            )}
            {!sessions.size && !rest.length && <p className="muted">{t("timeline.quiet")}</p>}
          </>
        )}
      </Show>
    </div>
  );
}
