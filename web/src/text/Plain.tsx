import { Fragment, useState } from "react";
import { t } from "../i18n";
import { cut, highlight, pieces } from "./plain";

/** Untrusted text as text: isolated in its own direction, tricks made visible. */
export function Plain({ text, words }: { text: string; words?: readonly string[] }) {
  return (
    <bdi dir="auto" className="plain">
      <Marked text={text} words={words} />
    </bdi>
  );
}

function Marked({ text, words }: { text: string; words?: readonly string[] | undefined }) {
  return pieces(text).map((one, at) =>
    "mark" in one ? (
      <span key={at} className="trick" title={t("text.hidden")}>
        {one.mark}
      </span>
    ) : words?.length ? (
      <Fragment key={at}>
        {highlight(one.text, words).map((span, i) => (span.hit ? <mark key={i}>{span.text}</mark> : span.text))}
      </Fragment>
    ) : (
      one.text
    ),
  );
}

const FIRST = 1200;
const NEXT = 20_000;

/** A text of any length: the beginning, and more when asked. */
export function Long({ text, words, first = FIRST }: { text: string; words?: readonly string[]; first?: number }) {
  const [limit, setLimit] = useState(first);
  const shown = cut(text, limit);
  return (
    <>
      {words ? <Plain text={shown} words={words} /> : <Plain text={shown} />}
      {shown.length < text.length && (
        <>
          <span aria-hidden="true">… </span>
          <button type="button" className="link" onClick={() => setLimit(limit + NEXT)}>
            {t("text.more", { shown: shown.length, all: text.length })}
          </button>
        </>
      )}
    </>
  );
}
