import { useDeferredValue, useMemo, useState } from "react";
import { call, part } from "../api/client";
import { refresh, useResource } from "../api/query";
import { byRelevance } from "../api/recall";
import type { Drawing, Entity, Hit, Receipt } from "../api/types";
import { Canvas, useGraphWorker, type Picture } from "../graph/Canvas";
import { date, number } from "../format";
import { predicateWords, t, word } from "../i18n";
import { Badge, Bar, Field, When } from "../parts/bits";
import { confirm } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { MemoryLink } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { Empty, Show } from "../parts/states";
import { go, useRouteId } from "../navigation";
import { href } from "../router";
import { Plain } from "../text/Plain";

interface Name {
  id: string;
  label: string;
  type: string;
  aliases: readonly string[];
}

interface Tie {
  id: string;
  subject: Name;
  predicate: string;
  object: Name;
  confidence: number;
}

interface Net {
  drawing: Drawing;
  entities: Name[];
  relations: Tie[];
}

/** All that holds now; or, of another moment, whoever was tied to somebody then. */
async function read(asOf: string | null, signal: AbortSignal): Promise<Net> {
  if (asOf) await new Promise((wake) => setTimeout(wake, 200)); // the slider is still moving
  signal.throwIfAborted();
  const drawing = await call<Drawing>("GET", "/v1/graph", { query: { as_of: asOf }, signal });
  const { ids, labels, type, types, aliases, relations, subject, predicate, predicates, object, confidence } = drawing;
  const entities = ids.map((id, at): Name => ({ id, label: labels[at]!, type: types[type[at]!]!, aliases: aliases[id] ?? [] }));
  return {
    drawing,
    entities,
    relations: relations.map((id, at) => ({
      id,
      subject: entities[subject[at]!]!,
      predicate: predicates[predicate[at]!]!,
      object: entities[object[at]!]!,
      confidence: confidence[at]!,
    })),
  };
}

export function Graph() {
  const selected = useRouteId();
  const worker = useGraphWorker();
  const [asOf, setAsOf] = useState<string | null>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState("");
  const [last, setLast] = useState<Net | undefined>();
  const net = useResource(`graph/${asOf}`, (signal) => read(asOf, signal), ["entity", "relation"]);
  if (net.data && net.data !== last) setLast(net.data);
  const shown = { ...net, data: net.data ?? last };
  return (
    <div className="graph-screen">
      <header className="screen-head pad">
        <div>
          <h1 tabIndex={-1}>{t("nav.graph")}</h1>
          {shown.data && <p className="muted small" role="status">{t("graph.entities", { n: shown.data.entities.length })} · {t("graph.relations", { n: shown.data.relations.length })}</p>}
        </div>
        <div className="row graph-filters">
          <search className="searching">
            <Icon name="search" />
            <input type="search" aria-label={t("graph.search")} placeholder={t("graph.search")} value={asked} onChange={(event) => setAsked(event.target.value)} />
          </search>
          <TimeSlider value={asOf} onChange={setAsOf} />
        </div>
      </header>
      <Show of={shown} rows={1} height={480}>
        {(data) =>
          data.entities.length ? (
            <Net worker={worker} data={data} hidden={hidden} setHidden={setHidden} asked={asked} selected={selected} />
          ) : (
            <Empty icon="graph" title={t("graph.none")}>{t("people.none_how")}</Empty>
          )
        }
      </Show>
    </div>
  );
}

const SPAN = 730;

function TimeSlider({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const back = value ? Math.round((Date.now() - Date.parse(value)) / 86_400_000) : 0;
  return (
    <Field label={`${t("clock.true")}: ${value ? date(value) : t("clock.now")}`}>
      {(id) => (
        <input
          id={id}
          type="range"
          min={-SPAN}
          max={0}
          value={-back}
          aria-valuetext={value ? date(value) : t("clock.now")}
          onChange={(event) => {
            const days = Number(event.target.value);
            onChange(days ? new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10) + "T12:00:00Z" : null);
          }}
        />
      )}
    </Field>
  );
}

interface NetProps {
  worker: Worker | null;
  data: Net;
  hidden: readonly string[];
  setHidden: (hidden: readonly string[]) => void;
  asked: string;
  selected: string | null;
}

function Net({ worker, data, hidden, setHidden, asked, selected }: NetProps) {
  const types = useMemo(() => count(data.entities), [data]);
  const order = useMemo(() => types.map(([name]) => name), [types]);
  const picture = useMemo(() => drawn(data, hidden, order), [data, hidden, order]);
  const query = useDeferredValue(asked.trim().toLocaleLowerCase());
  const matches = useMemo(
    () => (query ? data.entities.filter((one) => [one.label, ...one.aliases].some((name) => name.toLocaleLowerCase().includes(query))) : []),
    [data, query],
  );
  const found = useMemo(() => new Set(matches.map((one) => one.id)), [matches]);
  const select = (id: string | null) => go(href(["graph", ...(id ? [id] : [])]), "replace");
  const entity = data.entities.find((one) => one.id === selected);
  return (
    <div className="graph-body">
      <div className="graph-stage">
        <fieldset className="row tight legend-types">
          <legend className="visually-hidden">{t("graph.types")}</legend>
          {types.slice(0, 12).map(([name, many], at) => (
            <button key={name} type="button" className="chip" aria-pressed={!hidden.includes(name)} onClick={() => setHidden(hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name])}>
              <span className={`swatch group-${at % 8}`} aria-hidden="true" /> <Plain text={word("entity", name)} /> <span className="muted">{number(many)}</span>
            </button>
          ))}
        </fieldset>
        <Canvas worker={worker} picture={picture} selected={selected} found={found} onSelect={select} />
      </div>
      <aside className="graph-side" aria-label={t("graph.details")}>
        {entity ? (
          <Details key={entity.id} entity={entity} entities={data.entities} relations={data.relations} onSelect={select} />
        ) : query ? (
          <Chooser title={t("graph.matches", { n: matches.length })} entities={matches} onSelect={select} />
        ) : (
          <Chooser title={t("graph.best")} entities={tied(data).slice(0, 40)} onSelect={select} />
        )}
      </aside>
    </div>
  );
}

function count(entities: Name[]): [string, number][] {
  const out = new Map<string, number>();
  for (const one of entities) out.set(one.type, (out.get(one.type) ?? 0) + 1);
  return [...out].sort((a, b) => b[1] - a[1]);
}

function tied({ entities, relations }: Net): Name[] {
  const degree = new Map<string, number>();
  for (const one of relations) for (const end of [one.subject.id, one.object.id]) degree.set(end, (degree.get(end) ?? 0) + 1);
  return [...entities].sort((a, b) => (degree.get(b.id) ?? 0) - (degree.get(a.id) ?? 0));
}

function drawn({ drawing, entities }: Net, hidden: readonly string[], types: string[]): Picture {
  const shown = entities.flatMap(({ type }, at) => (hidden.includes(type) ? [] : [at]));
  const place = new Int32Array(entities.length).fill(-1);
  shown.forEach((of, at) => (place[of] = at));
  const edges: number[] = [];
  const predicate: number[] = [];
  drawing.relations.forEach((_, at) => {
    const [from, to] = [place[drawing.subject[at]!]!, place[drawing.object[at]!]!];
    if (from < 0 || to < 0 || from === to) return;
    edges.push(from, to);
    predicate.push(drawing.predicate[at]!);
  });
  return {
    ids: shown.map((of) => drawing.ids[of]!),
    labels: shown.map((of) => drawing.labels[of]!),
    groups: Uint8Array.from(shown, (of) => types.indexOf(entities[of]!.type)),
    edges: Uint32Array.from(edges),
    predicates: drawing.predicates.map(predicateWords),
    predicate: Uint16Array.from(predicate),
  };
}

function Chooser({ title, entities, onSelect }: { title: string; entities: Name[]; onSelect: (id: string) => void }) {
  return (
    <>
      <h2>{title}</h2>
      <ul className="plain-list">
        {entities.slice(0, 100).map((one) => (
          <li key={one.id}>
            <button type="button" className="quiet" onClick={() => onSelect(one.id)}>
              <Plain text={one.label} /> <span className="muted small"><Plain text={word("entity", one.type)} /></span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface DetailsProps {
  entity: Name;
  entities: Name[];
  relations: Tie[];
  onSelect: (id: string | null) => void;
}

function Details({ entity, entities, relations, onSelect }: DetailsProps) {
  const own = relations.filter(({ subject, object }) => subject.id === entity.id || object.id === entity.id);
  const whole = useResource(`entity/${entity.id}`, (signal) => call<Entity>("GET", `/v1/entities/${part(entity.id)}`, { signal }), ["entity"]);
  return (
    <>
      <div className="row between nowrap">
        <h2><Plain text={entity.label} /></h2>
        <button type="button" className="icon-button" aria-label={t("close")} onClick={() => onSelect(null)}><Icon name="close" /></button>
      </div>
      <p className="row tight">
        <Badge tone="accent"><Plain text={word("entity", entity.type)} /></Badge>
        <span className="muted small">{whole.data ? <When at={whole.data.recorded_at} /> : "\u00a0"}</span>
      </p>
      {entity.aliases.length > 0 && <p className="small muted">{t("graph.aliases")}: <Plain text={entity.aliases.join(", ")} /></p>}
      {whole.data?.notes && <p className="memory-text"><Plain text={whole.data.notes} /></p>}
      <h3>{t("graph.relations", { n: own.length })}</h3>
      <ul className="lines">
        {own.slice(0, 200).map((relation) => {
          const out = relation.subject.id === entity.id;
          const other = out ? relation.object : relation.subject;
          return (
            <li key={relation.id} className="tie">
              <span className="muted small">{out ? "→" : "←"} <Plain text={predicateWords(relation.predicate)} /></span>
              <button type="button" className="link" onClick={() => onSelect(other.id)}><Plain text={other.label} /></button>
              <Bar value={relation.confidence} label={t("confidence")} />
            </li>
          );
        })}
      </ul>
      <Mentions entity={entity} />
      <Merge entity={entity} entities={entities} onSelect={onSelect} />
      <Split entity={entity} relations={own} onSelect={onSelect} />
    </>
  );
}

/** Memories that mention the entity. */
function Mentions({ entity }: { entity: Name }) {
  const hits = useResource(`mentions/${entity.id}`, (signal) => call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query: entity.label, limit: 8, explain: true }, signal }), ["memory"]);
  const found = hits.data ? byRelevance(hits.data.items).relevant : [];
  if (!found.length) return null;
  return (
    <>
      <h3>{t("nav.memories")}</h3>
      <ul className="lines">
        {found.map(({ memory }) => (
          <li key={memory.id}><MemoryLink memory={memory} words={[entity.label]} /></li>
        ))}
      </ul>
    </>
  );
}

/** Two entities that are one: the other becomes a name of this one. */
function Merge({ entity, entities, onSelect }: { entity: Name; entities: Name[]; onSelect: (id: string) => void }) {
  const [other, setOther] = useState("");
  const absorb = entities.find(({ id }) => id === other);
  const merge = async () => {
    if (!absorb || !(await confirm(t("graph.merge"), <p>{t("graph.merge_what", { absorb: absorb.label, keep: entity.label })}</p>, { yes: t("graph.merge_do") }))) return;
    try {
      const receipt = await call<Receipt>("POST", "/v1/entities/merge", { body: { keep: entity.id, absorb: absorb.id } });
      const again = () => refresh(new Set(["entity", "relation"]));
      tellUndo(t("graph.merged"), receipt, again);
      again();
      onSelect(entity.id);
    } catch (error) {
      complain(error);
    }
  };
  const options = entities.filter(({ id }) => id !== entity.id).sort((a, b) => a.label.localeCompare(b.label));
  return (
    <details>
      <summary>{t("graph.merge")}</summary>
      <form
        className="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          void merge();
        }}
      >
        <Field label={t("graph.merge_choose")}>
          {(id) => (
            <select id={id} value={other} onChange={(event) => setOther(event.target.value)}>
              <option value="">–</option>
              {options.slice(0, 1000).map((option) => (
                <option key={option.id} value={option.id}>{`${option.label} (${word("entity", option.type)})`}</option>
              ))}
            </select>
          )}
        </Field>
        <button type="submit" disabled={!absorb}>{t("graph.merge_do")}</button>
      </form>
    </details>
  );
}

/** One entity that is really two: the new one takes some of the names and relations along. */
function Split({ entity, relations, onSelect }: { entity: Name; relations: Tie[]; onSelect: (id: string) => void }) {
  const [label, setLabel] = useState("");
  const [names, setNames] = useState<readonly string[]>([]);
  const [taken, setTaken] = useState<readonly string[]>([]);
  if (!relations.length && !entity.aliases.length) return null;
  const toggle = (list: readonly string[], value: string) => (list.includes(value) ? list.filter((other) => other !== value) : [...list, value]);
  const split = async () => {
    try {
      const receipt = await call<Receipt>("POST", `/v1/entities/${part(entity.id)}/split`, { body: { label: label.trim(), aliases: names, relations: taken } });
      const again = () => refresh(new Set(["entity", "relation"]));
      tellUndo(t("graph.split_done"), receipt, again);
      again();
      onSelect(receipt.id ?? entity.id);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <details>
      <summary>{t("graph.split")}</summary>
      <form
        className="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          if (label.trim()) void split();
        }}
      >
        <Field label={t("graph.split_name")}>{(id) => <input id={id} required value={label} onChange={(event) => setLabel(event.target.value)} />}</Field>
        <fieldset className="chips">
          <legend>{t("graph.split_what")}</legend>
          <div className="stack tight">
            {entity.aliases.map((name) => (
              <label key={name} className="row tight">
                <input type="checkbox" checked={names.includes(name)} onChange={() => setNames(toggle(names, name))} /> <Plain text={name} />
              </label>
            ))}
            {relations.slice(0, 200).map(({ id, subject, predicate, object }) => (
              <label key={id} className="row tight">
                <input type="checkbox" checked={taken.includes(id)} onChange={() => setTaken(toggle(taken, id))} /> <Plain text={`${subject.label} ${predicateWords(predicate)} ${object.label}`} />
              </label>
            ))}
          </div>
        </fieldset>
        <button type="submit" disabled={!label.trim() || (!names.length && !taken.length)}>{t("graph.split_do")}</button>
      </form>
    </details>
  );
}
