import { useRef, useState } from "react";
import { call, part } from "../api/client";
import { refresh, useResource } from "../api/query";
import type { Directive, Memory, Page, Prompt, Receipt, Step } from "../api/types";
import { dag } from "../graph/dag";
import { number } from "../format";
import { t, word } from "../i18n";
import { Badge, Card, Field, Meter, Screen, When } from "../parts/bits";
import { Dialog } from "../parts/dialog";
import { errorText } from "../parts/errors";
import { Icon } from "../parts/icons";
import { MemoryLink } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { useSize } from "../parts/size";
import { Empty, Show } from "../parts/states";
import { go, useRouteId } from "../navigation";
import { href } from "../router";
import { Long, Plain } from "../text/Plain";
import { cut } from "../text/plain";

export function Directives() {
  const id = useRouteId();
  return id ? <One id={id} /> : <All />;
}

function All() {
  const [making, setMaking] = useState(false);
  const list = useResource("directives", (signal) => call<Page<Directive>>("GET", "/v1/directives", { query: { limit: 200 }, signal }), ["directive"]);
  return (
    <Screen title={t("nav.directives")} lead={t("directives.lead")} action={<button type="button" className="primary" onClick={() => setMaking(true)}><Icon name="plus" /> {t("directives.make")}</button>}>
      {making && <DirectiveForm onClose={() => setMaking(false)} />}
      <Show of={list} rows={4} height={88}>
        {({ items }) =>
          items.length ? (
            <ul className="hits">
              {items.map((one) => (
                <li key={one.id}>
                  <a className="card directive" href={href(["directives", one.id])}>
                    <span className="row between">
                      <strong><Plain text={one.title} /></strong>
                      <Badge tone={`status-${one.status}`}>{word("state", one.status)}</Badge>
                    </span>
                    <span className="memory-text clamp muted"><Plain text={cut(one.goal, 400)} /></span>
                    <StepsOf id={one.id} />
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <Empty icon="goal" title={t("directives.none")}>{t("directives.none_how")}</Empty>
          )
        }
      </Show>
    </Screen>
  );
}

/** How far a directive has come; read again whenever one of its steps changes. */
function StepsOf({ id }: { id: string }) {
  const steps = useSteps(id);
  return steps.data?.items.length ? <Progress steps={steps.data.items} /> : null;
}

const useSteps = (id: string) => useResource(`directive/${id}/steps`, (signal) => call<Page<Step>>("GET", `${at(id)}/steps`, { signal }), ["directive", "step", "memory"]);

const at = (id: string): string => `/v1/directives/${part(id)}`;

function One({ id }: { id: string }) {
  const [editing, setEditing] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const nouns = ["directive", "step", "memory"];
  const directive = useResource(`directive/${id}`, (signal) => call<Directive>("GET", at(id), { signal }), nouns);
  const steps = useSteps(id);
  const memories = useResource(`directive/${id}/memories`, (signal) => call<Page<Memory>>("GET", `${at(id)}/memories`, { query: { limit: 200 }, signal }), nouns);
  const step = steps.data?.items.find((one) => one.id === chosen) ?? null;
  const status = directive.data?.status;
  return (
    <Screen
      title={directive.data?.title ?? t("nav.directives")}
      action={
        <>
          <a href={href("directives")}>{t("directives.all")}</a>
          {status && <Badge tone={`status-${status}`}>{word("state", status)}</Badge>}
          {directive.data && <Controls directive={directive.data} onEdit={() => setEditing(true)} />}
        </>
      }
    >
      <Show of={directive} rows={3} height={120}>
        {(whole) => (
          <>
          {editing && <DirectiveForm directive={whole} onClose={() => setEditing(false)} />}
          <Card title={t("directives.goal")}>
            <p className="memory-text"><Long text={whole.goal} /></p>
            <p className="small muted row">
              {whole.repository_url && <Plain text={whole.repository_url} />}
              {whole.base_branch && <code><Plain text={whole.base_branch} /></code>}
              <span>{whole.memory_enabled ? t("directives.memory_on") : t("directives.memory_off")}</span>
              {whole.reason && <span><Plain text={cut(whole.reason, 200)} /></span>}
              {whole.started_at && <span>{t("directives.started")} <When at={whole.started_at} /></span>}
            </p>
          </Card>
          <Card title={t("directives.steps")} action={steps.data && steps.data.items.length > 0 ? <Progress steps={steps.data.items} /> : undefined}>
            <Show of={steps} rows={2} height={96}>
              {({ items }) => (items.length ? <Plan steps={items} chosen={chosen} onChoose={(next) => setChosen(next === chosen ? null : next)} /> : <Empty icon="goal" title={t("directives.no_steps")} />)}
            </Show>
          </Card>
          {step && <StepCard key={step.id} step={step} />}
          <Card title={step ? t("directives.step_memories", { step: cut(step.name, 60) }) : t("directives.memories")}>
            <Show of={memories} rows={2}>
              {({ items }) => {
                const mine = step ? items.filter((one) => one.step === step.id) : items;
                return mine.length ? (
                  <ul className="lines">
                    {mine.map((one) => (
                      <li key={one.id}><MemoryLink memory={one} /></li>
                    ))}
                  </ul>
                ) : (
                  <p className="muted">{t("directives.no_memories")}</p>
                );
              }}
            </Show>
          </Card>
          <PromptCard id={id} step={step} />
          </>
        )}
      </Show>
    </Screen>
  );
}

function Progress({ steps }: { steps: Step[] }) {
  const ready = steps.filter(({ status }) => status === "completed").length;
  return (
    <span className="row tight muted small" role="status">
      <Meter value={ready / steps.length} label={t("directives.steps")} /> {t("directives.progress", { ready: number(ready), all: number(steps.length) })}
    </span>
  );
}

/** Pause, resume, activate, switch memory, edit. */
function Controls({ directive, onEdit }: { directive: Directive; onEdit: () => void }) {
  const change = async (body: Partial<Directive>) => {
    try {
      const receipt = await call<Receipt>("PATCH", at(directive.id), { body, version: directive.version });
      const again = () => refresh(new Set(["directive"]));
      tellUndo(t("saved"), receipt, again);
      again();
    } catch (error) {
      complain(error);
    }
  };
  const next = directive.status === "active" ? "paused" : directive.status === "paused" || directive.status === "draft" ? "active" : null;
  return (
    <>
      {next && (
        <button type="button" onClick={() => void change({ status: next })}>
          {t(next === "paused" ? "directives.pause" : directive.status === "draft" ? "directives.start" : "directives.resume")}
        </button>
      )}
      <button type="button" aria-pressed={directive.memory_enabled} onClick={() => void change({ memory_enabled: !directive.memory_enabled })}>{directive.memory_enabled ? t("directives.memory_on") : t("directives.memory_off")}</button>
      <button type="button" onClick={onEdit}><Icon name="edit" size={18} /> {t("edit")}</button>
    </>
  );
}

function DirectiveForm({ directive, onClose }: { directive?: Directive; onClose: () => void }) {
  const [title, setTitle] = useState(directive?.title ?? "");
  const [goal, setGoal] = useState(directive?.goal ?? "");
  const [memory, setMemory] = useState(directive?.memory_enabled ?? true);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    const body = { title: title.trim(), goal: goal.trim(), memory_enabled: memory };
    try {
      const receipt = directive ? await call<Receipt>("PATCH", at(directive.id), { body, version: directive.version }) : await call<Receipt>("POST", "/v1/directives", { body });
      onClose();
      refresh(new Set(["directive"]));
      tellUndo(t("saved"), receipt, () => refresh(new Set(["directive"])));
      if (!directive && receipt.id) go(href(["directives", receipt.id]));
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <Dialog title={directive ? t("directives.edit") : t("directives.make")} onClose={onClose} wide>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim() && goal.trim()) void save();
        }}
      >
        <Field label={t("directives.form_title")}>{(id) => <input id={id} required value={title} onChange={(event) => setTitle(event.target.value)} />}</Field>
        <Field label={t("directives.goal")}>{(id) => <textarea id={id} required value={goal} onChange={(event) => setGoal(event.target.value)} />}</Field>
        <label className="row tight">
          <input type="checkbox" checked={memory} onChange={(event) => setMemory(event.target.checked)} />
          {t("directives.memory")}
        </label>
        {failure && <p className="error-line" role="alert">{failure}</p>}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={!title.trim() || !goal.trim()}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}

const WIDEST = 200;
const NARROWEST = 150;
const HIGH = 64;
const GAP_X = 44;
const GAP_Y = 20;
/** Around the board, as in screens.css. */
const MARGIN = 4;

interface Spot {
  x: number;
  y: number;
}

/** From the right of one box to the left of the other, straight through the columns between them. */
function curve(from: Spot, to: Spot, through: Spot[], wide: number): string {
  let at = { x: from.x + wide, y: from.y + HIGH / 2 };
  let path = `M${at.x} ${at.y}`;
  const bend = (x: number, y: number) => {
    path += `C${at.x + GAP_X / 2} ${at.y} ${x - GAP_X / 2} ${y} ${x} ${y}`;
    at = { x, y };
  };
  for (const one of through) {
    const y = one.y * (HIGH + GAP_Y) + HIGH / 2;
    bend(one.x * (wide + GAP_X), y);
    path += `h${wide}`;
    at = { x: at.x + wide, y };
  }
  bend(to.x - 2, to.y + HIGH / 2);
  return path;
}

/** The steps drawn as what waits for what: each a button, in reading order for the keyboard. */
function Plan({ steps, chosen, onChoose }: { steps: Step[]; chosen: string | null; onChoose: (id: string) => void }) {
  const drawing = dag(steps);
  const box = useRef<HTMLDivElement>(null);
  const room = useSize(box).width - 2 * MARGIN;
  // Columns as narrow as the screen asks for, so that most plans are seen whole.
  const wide = Math.round(Math.min(WIDEST, Math.max(NARROWEST, (room + GAP_X) / drawing.columns - GAP_X)));
  const place = new Map(drawing.boxes.map((one) => [one.id, { x: one.x * (wide + GAP_X), y: one.y * (HIGH + GAP_Y) }]));
  const width = drawing.columns * (wide + GAP_X) - GAP_X;
  const height = drawing.rows * (HIGH + GAP_Y) - GAP_Y;
  return (
    <div className="scroll-x plan" ref={box} tabIndex={0} role="region" aria-label={t("directives.plan")}>
      <div className="plan-board" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          <defs>
            <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" />
            </marker>
          </defs>
          {drawing.arrows.map(({ from, to, through }) => (
            <path key={`${from}-${to}`} className="arrow" markerEnd="url(#arrow)" d={curve(place.get(from)!, place.get(to)!, through, wide)} />
          ))}
        </svg>
        <ol>
          {steps.map((one) => {
            const { x, y } = place.get(one.id)!;
            return (
              <li key={one.id} style={{ left: x, top: y, width: wide, height: HIGH }}>
                <button type="button" className={`step ${one.status}`} aria-pressed={one.id === chosen} onClick={() => onChoose(one.id)}>
                  <span className="step-name"><Plain text={cut(one.name, 80)} /></span>
                  <span className="row tight">
                    <Badge tone={`status-${one.status}`}>{word("state", one.status)}</Badge>
                    <span className="muted small">{t("directives.generation", { n: number(one.generation) })}</span>
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}

function StepCard({ step }: { step: Step }) {
  const parts = [
    [t("directives.description"), step.description],
    [t("directives.task_plan"), step.task_plan],
    [t("directives.result"), step.result],
  ] as const;
  return (
    <Card title={step.name}>
      {parts.map(([name, text]) =>
        text ? (
          <section key={name}>
            <h3>{name}</h3>
            <p className="memory-text"><Long text={text} /></p>
          </section>
        ) : null,
      )}
      <p className="small muted">{t("directives.attempts", { n: number(step.attempts) })}</p>
    </Card>
  );
}

function PromptCard({ id, step }: { id: string; step: Step | null }) {
  const [open, setOpen] = useState(false);
  return (
    <Card
      title={step ? t("directives.step_prompt") : t("directives.plan_prompt")}
      action={<button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? t("hide") : t("show")}</button>}
    >
      {open ? <PromptText id={id} step={step?.id ?? null} /> : <p className="muted small">{t("directives.prompt_how")}</p>}
    </Card>
  );
}

function PromptText({ id, step }: { id: string; step: string | null }) {
  const prompt = useResource(`directive/${id}/prompt/${step}`, (signal) => call<Prompt>("GET", `${at(id)}/prompt`, { query: { step }, signal }), ["directive", "step", "memory"]);
  return (
    <Show of={prompt} rows={1} height={200}>
      {(answer) => (
        <>
          <p className="small muted">
            {t("directives.went_in", { n: answer.memories.length })}
            {answer.left_out > 0 && ` · ${t("directives.left_out", { n: answer.left_out })}`}
          </p>
          {answer.fault && <p className="error-line"><Plain text={answer.fault} /></p>}
          <pre className="pre" tabIndex={0} role="region" aria-label={t("text.code")}>
            <Long text={answer.text} first={20_000} />
          </pre>
        </>
      )}
    </Show>
  );
}
