import { useEffect, useState } from "react";
import { t } from "../i18n";
import { DisplayDialog } from "../parts/DisplayDialog";
import { Field } from "../parts/bits";
import { Icon } from "../parts/icons";
import { words } from "../parts/notices";
import { Problem, Unreachable } from "../api/client";
import { signIn } from "../session";

/** Paste a token. The link that `commonplace serve` prints does the same by itself. */
export function SignIn() {
  const [given, setGiven] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [display, setDisplay] = useState(false);
  useEffect(() => {
    document.title = `${t("sign.title")} · Commonplace`;
  });
  const enter = async () => {
    const secret = given.trim();
    if (!secret) return;
    setBusy(true);
    try {
      const answer = await fetch("/v1/me", { headers: { Authorization: `Bearer ${secret}` }, cache: "no-store" });
      if (answer.ok) signIn(secret);
      else setWrong(answer.status === 401 ? t("sign.refused") : words(new Problem(answer.status, answer.statusText, "")));
    } catch {
      setWrong(words(new Unreachable()));
    }
    setBusy(false);
  };
  return (
    <main className="sign-in">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <img src="./icon.svg" width="48" height="48" alt="" />
        <h1>{t("sign.title")}</h1>
        <p className="muted">{t("sign.lead")}</p>
        <Field label={t("sign.token")}>
          {(id) => (
            <input
              id={id}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={given}
              aria-invalid={wrong !== null}
              aria-describedby="sign-in-wrong"
              onChange={(event) => {
                setGiven(event.target.value);
                setWrong(null);
              }}
            />
          )}
        </Field>
        <p id="sign-in-wrong" className="error-line" role="alert">
          {wrong}
        </p>
        <button type="submit" className="primary" disabled={busy || !given.trim()}>
          {t("sign.enter")}
        </button>
        <p className="muted small">
          {t("sign.hint")} <code>commonplace serve</code>
        </p>
      </form>
      <button type="button" className="quiet" onClick={() => setDisplay(true)}>
        <Icon name="display" /> {t("display.title")}
      </button>
      {display && <DisplayDialog onClose={() => setDisplay(false)} />}
    </main>
  );
}
