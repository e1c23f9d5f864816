import { useState } from "react";
import { call, part } from "../api/client";
import { queryClient, useResource } from "../api/query";
import type { Namespace, Page } from "../api/types";
import { t } from "../i18n";
import { go } from "../navigation";
import { panel } from "../panels";
import { Card } from "../parts/bits";
import { Icon, type IconName } from "../parts/icons";
import { complain, tell } from "../parts/notices";
import { href } from "../router";
import { namespace, switchNamespace } from "../session";
import { useStore } from "../store";
import { loadSample, SAMPLE } from "./sample";

interface Step {
  icon: IconName;
  title: string;
  text: string;
  button: string;
  run: () => void;
}

/** What to do with a book that is still empty. */
export function FirstSteps() {
  const [busy, setBusy] = useState(false);
  const sample = async () => {
    setBusy(true);
    try {
      await loadSample();
      switchNamespace(SAMPLE);
      void queryClient.invalidateQueries();
      tell(t("sample.loaded"));
    } catch (error) {
      complain(error);
    }
    setBusy(false);
  };
  const steps: Step[] = [
    { icon: "plus", title: t("memories.add"), text: t("start.add_text"), button: t("memories.add"), run: () => panel.set("add") },
    { icon: "key", title: t("start.connect"), text: t("start.connect_text"), button: t("start.connect_button"), run: () => panel.set("connect") },
    { icon: "upload", title: t("start.import"), text: t("start.import_text"), button: t("start.import_button"), run: () => go(href(["maintenance", "data"])) },
    { icon: "spark", title: t("start.sample"), text: t("start.sample_text"), button: t("start.sample"), run: () => void sample() },
  ];
  return (
    <section aria-labelledby="first-steps" className="stack">
      <div>
        <h2 id="first-steps">{t("home.empty")}</h2>
        <p className="muted">{t("home.empty_how")}</p>
      </div>
      <ul className="first-steps">
        {steps.map((step, at) => (
          <li key={step.title} className="card">
            <h3><Icon name={step.icon} /> {step.title}</h3>
            <p className="muted">{step.text}</p>
            <button type="button" className={at === 0 ? "primary" : undefined} disabled={busy} onClick={step.run}>{step.button}</button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shown in the sample namespace: it can be removed in one click. */
export function SampleBanner() {
  const space = useStore(namespace);
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }), ["namespace"]);
  if (space !== SAMPLE || !spaces.data?.items.some(({ name }) => name === SAMPLE)) return null;
  const remove = async () => {
    try {
      await call("DELETE", `/v1/namespaces/${part(SAMPLE)}`, { headers: { "X-Confirm": "true" }, bare: true });
      switchNamespace("default");
      void queryClient.invalidateQueries();
      tell(t("sample.removed"));
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Card tone="span sample">
      <div className="row between">
        <span>{t("sample.here")}</span>
        <span className="row">
          <button type="button" onClick={() => switchNamespace("default")}>{t("sample.leave")}</button>
          <button type="button" onClick={() => void remove()}><Icon name="trash" size={18} /> {t("sample.remove")}</button>
        </span>
      </div>
    </Card>
  );
}
