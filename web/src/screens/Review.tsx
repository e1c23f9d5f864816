import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { call, part } from "../api/client";
import { usePages } from "../api/resource";
import type { Page, Receipt, Waiting } from "../api/types";
import { t, tn, word, type Key } from "../i18n";
import { Badge, Bar, Field, Screen, Status, When } from "../parts/bits";
import { Parts } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Quotes } from "../parts/memory";
import { complain, tellUndo } from "../parts/notices";
import { Empty, Failed, Skeleton } from "../parts/states";
import { href } from "../router";
import { diff } from "../text/diff";
import { Long, Plain } from "../text/Plain";
import { cut } from "../text/plain";

type Decision = "approve" | "correct" | "reject";

/** Candidates one by one; every decision has a key. */
export function Review() {
  const pages = usePages("review", (cursor, signal) => call<Page<Waiting>>("GET", "/v1/review", { query: { limit: 50, cursor }, signal }));
  const [skipped, setSkipped] = useState<string[]>([]);
  const [draft, setDraft] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const waiting = pages.items.filter((one) => !skipped.includes(one.memory.id));
  const current = waiting[0];
  const id = current?.memory.id;
  const { more } = pages;
  useEffect(() => {
    if (waiting.length < 5) more();
  });
  useEffect(() => {
    setDraft(null);
    if (id) box.current?.focus({ preventScroll: true });
  }, [id]);

  const decide = async (decision: Decision, text?: string) => {
    if (!current) return;
    pages.set((items) => items.filter((one) => one !== current)); // the next one is there at once
    try {
      const receipt = await call<Receipt>("POST", `/v1/review/${part(current.memory.id)}`, { body: { decision, ...(text ? { text } : {}) } });
      tellUndo(t(`review.did_${decision}`), receipt, () => pages.set((items) => [current, ...items]));
    } catch (error) {
      pages.set((items) => [current, ...items]);
      complain(error);
    }
  };
  const skip = () => current && setSkipped([...skipped, current.memory.id]);

  const keys = useRef<(key: string) => boolean>(() => false);
  // before it is painted: a key is for the card that is seen
  useLayoutEffect(() => {
    keys.current = (key) => {
      if (key === "a") void decide("approve");
      else if (key === "r") void decide("reject");
      else if (key === "c" && current) setDraft(current.memory.text);
      else if (key === "s") skip();
      else return false;
      return true;
    };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      if (keys.current(event.key.toLowerCase())) event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);

  return (
    <Screen title={t("nav.review")} lead={t("review.lead")}>
      {pages.error && !current ? (
        <Failed error={pages.error} retry={pages.reload} />
      ) : !current && pages.loading ? (
        <Skeleton rows={2} height={160} />
      ) : !current ? (
        <Empty icon="check" title={t("review.none")}>
          {skipped.length > 0 && (
            <button type="button" onClick={() => setSkipped([])}>
              {tn("review.skipped", skipped.length)}
            </button>
          )}
        </Empty>
      ) : (
        <>
          <p className="muted small" role="status">
            {tn(pages.done ? "review.left" : "review.left_more", waiting.length)}
          </p>
          <div className="review-card" ref={box} tabIndex={-1} role="group" aria-label={t("review.candidate")}>
            <section className="card">
              <div className="row tight">
                <Badge>{word("category", current.memory.category)}</Badge>
                <Badge>{word("source", current.memory.source)}</Badge>
                {current.reason && <Badge tone="status-candidate"><Plain text={because(current.reason)} /></Badge>}
              </div>
              {draft === null ? (
                <p className="memory-text big"><Long text={current.memory.text} /></p>
              ) : (
                <form
                  className="stack"
                  onSubmit={(event) => {
                    event.preventDefault();
                    if (draft.trim()) void decide("correct", draft.trim());
                  }}
                >
                  <Field label={t("review.correction")}>
                    {(field) => (
                      <textarea
                        id={field}
                        // eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to correct this text
                        autoFocus
                        value={draft}
                        onChange={(event) => setDraft(event.target.value)}
                        onKeyDown={(event) => {
                          if (event.key === "Escape") setDraft(null);
                          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && draft.trim()) void decide("correct", draft.trim());
                        }}
                      />
                    )}
                  </Field>
                  <div className="form-foot">
                    <button type="button" onClick={() => setDraft(null)}>{t("cancel")}</button>
                    <button type="submit" className="primary">{t("save")} <kbd>Ctrl ↵</kbd></button>
                  </div>
                </form>
              )}
              <Bar value={current.memory.confidence} label={t("confidence")} />
              <div className="actions review-actions">
                <button type="button" className="primary" aria-keyshortcuts="a" onClick={() => void decide("approve")}><Icon name="check" size={18} /> {t("review.approve")} <kbd>A</kbd></button>
                <button type="button" aria-keyshortcuts="c" onClick={() => setDraft(current.memory.text)}><Icon name="edit" size={18} /> {t("correct")} <kbd>C</kbd></button>
                <button type="button" aria-keyshortcuts="r" onClick={() => void decide("reject")}><Icon name="close" size={18} /> {t("reject")} <kbd>R</kbd></button>
                <button type="button" className="quiet" aria-keyshortcuts="s" onClick={skip}><Icon name="skip" size={18} /> {t("review.skip")} <kbd>S</kbd></button>
              </div>
            </section>
            <div className="stack">
              <section className="card">
                <h2>{t("evidence.title")}</h2>
                <Quotes evidence={current.evidence} />
              </section>
              {current.conflict && <Conflicting waiting={current} />}
            </div>
          </div>
        </>
      )}
    </Screen>
  );
}

/** Why it waits, in the page's language where the server says it in one of its own sentences. */
function because(reason: string): string {
  const source = /^not vouched for: from (\w+)$/.exec(reason)?.[1];
  if (source) return t("review.from", { source: word("source", source) });
  const known = WHY.find(([begins]) => reason.startsWith(begins));
  return known ? t(known[1]) : reason;
}

const WHY: [string, Key][] = [
  ["rejected before", "review.before"],
  ["contradicts", "review.against"],
  ["differs from the owner", "review.owner"],
  ["differs from what a person", "review.kept"],
  ["an end for what a person keeps", "review.end"],
  ["less sure", "review.less"],
];

function Conflicting({ waiting }: { waiting: Waiting }) {
  const other = waiting.conflict!;
  return (
    <section className="card conflict">
      <div className="card-head">
        <h2>{t("review.conflict")}</h2>
        <Status value={other.status} />
      </div>
      <p className="memory-text"><Long text={other.text} first={600} /></p>
      <p className="small muted">
        <a href={href(["memories", other.id])}><When at={other.recorded_at} exact /></a>
      </p>
      <details>
        <summary>{t("review.compare")}</summary>
        <p className="memory-text"><Parts parts={diff(cut(other.text, 5000), cut(waiting.memory.text, 5000))} /></p>
      </details>
    </section>
  );
}
