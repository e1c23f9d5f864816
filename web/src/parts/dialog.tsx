import { useEffect, useId, useRef, type ReactNode } from "react";
import { t } from "../i18n";
import { store, useStore } from "../store";
import { diff } from "../text/diff";
import { Icon } from "./icons";
import { Plain } from "../text/Plain";

interface Shown {
  title: string;
  onClose: () => void;
  children: ReactNode;
  side?: boolean;
  wide?: boolean;
}

/** A modal dialog, or a drawer at the side. The browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, side = false, wide = false }: Shown) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a click beside the dialog closes it; Escape does so for the keyboard
    <dialog
      ref={box}
      className={`${side ? "drawer" : "dialog"}${wide ? " wide" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === box.current && onClose()}
    >
      <div className="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" className="icon-button" aria-label={t("close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

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

/** Somebody wrote in the meantime: show both, let the person choose. True means "mine". */
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
        {side(t("conflict.theirs"), theirs, <Parts parts={marked.filter((one) => one.kind !== "new")} />)}
        {side(t("conflict.mine"), mine, <Parts parts={marked.filter((one) => one.kind !== "gone")} />)}
      </div>
    </>,
    { yes: t("conflict.use_mine"), no: t("conflict.keep_theirs"), wide: true },
  );
}

export function Parts({ parts }: { parts: { text: string; kind: "same" | "gone" | "new" }[] }) {
  return parts.map((one, at) =>
    one.kind === "same" ? (
      <Plain key={at} text={one.text} />
    ) : one.kind === "new" ? (
      <ins key={at}>
        <Plain text={one.text} />
      </ins>
    ) : (
      <del key={at}>
        <Plain text={one.text} />
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
