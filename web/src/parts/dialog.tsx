import type { ReactNode } from "react";
import { t } from "../i18n";
import { store, useStore } from "../store";
import { diff } from "../text/diff";
import { Plain } from "../text/Plain";
import { later } from "./later";
import { tell } from "./notices";

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  side?: boolean;
  wide?: boolean;
}

/** A modal dialog, or a drawer at the side. It keeps the focus inside and gives it back. */
export const Dialog = later<DialogProps>(
  async () => (await import("./overlay")).Overlay,
  ({ onClose }) => {
    onClose();
    tell(t("error.offline_title"), { tone: "bad" });
  },
);

interface Question {
  title: string;
  body: ReactNode;
  yes: string;
  no: string;
  danger: boolean;
  wide: boolean;
  answer: (yes: boolean) => void;
}

const question = store<Question | null>(null);

interface Options {
  yes?: string;
  no?: string;
  danger?: boolean;
  wide?: boolean;
}

export function confirm(title: string, body: ReactNode, options: Options = {}): Promise<boolean> {
  return new Promise((answer) => {
    question.set({
      title,
      body,
      yes: options.yes ?? t("yes"),
      no: options.no ?? t("cancel"),
      danger: options.danger ?? false,
      wide: options.wide ?? false,
      answer,
    });
  });
}

/** Someone else saved first: show both versions and let the person choose. True means "mine". */
export function settle(mine: string, theirs: string): Promise<boolean> {
  const side = (title: string, text: string, children: ReactNode) => (
    <section className="version-side">
      <h3>{title}</h3>
      <p className="memory-text">{children ?? <Plain text={text} />}</p>
    </section>
  );
  const marked = diff(theirs, mine);
  return confirm(
    t("conflict.title"),
    <>
      <p>{t("conflict.body")}</p>
      <div className="two-sides">
        {side(t("conflict.theirs"), theirs, <Parts parts={marked.filter((span) => span.kind !== "new")} />)}
        {side(t("conflict.mine"), mine, <Parts parts={marked.filter((span) => span.kind !== "gone")} />)}
      </div>
    </>,
    { yes: t("conflict.use_mine"), no: t("conflict.keep_theirs"), wide: true },
  );
}

export function Parts({ parts }: { parts: { text: string; kind: "same" | "gone" | "new" }[] }) {
  return parts.map((span, at) =>
    span.kind === "same" ? (
      <Plain key={at} text={span.text} />
    ) : span.kind === "new" ? (
      <ins key={at}>
        <Plain text={span.text} />
      </ins>
    ) : (
      <del key={at}>
        <Plain text={span.text} />
      </del>
    ),
  );
}

export function Questions() {
  const asked = useStore(question);
  if (!asked) return null;
  const answer = (yes: boolean) => {
    question.set(null);
    asked.answer(yes);
  };
  return (
    <Dialog title={asked.title} wide={asked.wide} onClose={() => answer(false)}>
      <div className="dialog-text">{asked.body}</div>
      <footer>
        <button type="button" onClick={() => answer(false)}>
          {asked.no}
        </button>
        <button type="button" className={asked.danger ? "danger" : "primary"} onClick={() => answer(true)}>
          {asked.yes}
        </button>
      </footer>
    </Dialog>
  );
}
