import { useEffect, useState } from "react";
import { problem, Unreachable } from "../api/client";
import { t } from "../i18n";
import { Field } from "../parts/bits";
import { DisplayDialog } from "../parts/DisplayDialog";
import { errorText } from "../parts/errors";
import { Icon } from "../parts/icons";
import { signIn, signInFailure } from "../session";
import { useStore } from "../store";

/** Sign in with a token or a whole sign-in link. The link that `commonplace serve` prints does it by itself. */
export function SignIn() {
  const [input, setInput] = useState("");
  const [busy, setBusy] = useState(false);
  const [display, setDisplay] = useState(false);
  const failure = useStore(signInFailure);
  useEffect(() => {
    document.title = `${t("sign.title")} · Commonplace`;
  });
  const enter = async () => {
    setBusy(true);
    await signIn(input);
    setBusy(false);
  };
  const message = failure === null ? null : failure === 401 ? t("sign.refused") : errorText(failure ? problem(failure, "", {}) : new Unreachable());
  return (
    <main className="sign-in">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (input.trim()) void enter();
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
              value={input}
              aria-invalid={message !== null}
              aria-describedby="sign-in-error"
              onChange={(event) => {
                setInput(event.target.value);
                signInFailure.set(null);
              }}
            />
          )}
        </Field>
        <p id="sign-in-error" className="error-line" role="alert">
          {message}
        </p>
        <button type="submit" className="primary" disabled={busy || !input.trim()}>
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
