import { useState } from "react";
import { call, part, Problem } from "../api/client";
import { refresh, useResource } from "../api/query";
import type { Me, Page, SettingValue } from "../api/types";
import { LANGUAGES, NAMES, t, type Key, type Language } from "../i18n";
import { Badge, Card, Field, Screen } from "../parts/bits";
import { DisplayFields } from "../parts/DisplayDialog";
import { errorText } from "../parts/errors";
import { tell } from "../parts/notices";
import { Show } from "../parts/states";
import { ShortcutList } from "../Shortcuts";
import { Plain } from "../text/Plain";
import { SyncCard } from "./SyncCard";

/** Who you are to the server, how the page looks, what the server is set to, and the shortcuts. */
export function Settings() {
  return (
    <Screen title={t("nav.settings")} lead={t("settings.lead")}>
      <Person />
      <Card title={t("display.title")}>
        <DisplayFields />
      </Card>
      <SyncCard />
      <ServerSettings />
      <Card title={t("keys.title")}>
        <ShortcutList />
      </Card>
    </Screen>
  );
}

const zones = (): string[] => Intl.supportedValuesOf("timeZone");

function Person() {
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (who: Me, body: { timezone?: string; language?: string }) => {
    setFailure(null);
    me.set({ ...who, ...body });
    try {
      await call("PATCH", `/v1/owners/${part(who.owner)}`, { body, bare: true });
      tell(t("saved"));
      refresh(new Set(["*"]));
    } catch (error) {
      me.set(who);
      setFailure(errorText(error));
    }
  };
  return (
    <Card title={t("person.title")}>
      <Show of={me} rows={2} height={44}>
        {(who) => (
          <div className="stack">
            <dl className="pairs">
              <div><dt>{t("name")}</dt><dd><Plain text={who.owner} /></dd></div>
              <div><dt>{t("person.plan")}</dt><dd><Badge tone="accent">{who.plan}</Badge></dd></div>
              <div><dt>{t("person.version")}</dt><dd>{who.version}</dd></div>
            </dl>
            <div className="two-fields">
              <Field label={t("person.timezone")} hint={t("person.timezone_what")}>
                {(id) => (
                  <select id={id} value={who.timezone ?? ""} onChange={(event) => void change(who, { timezone: event.target.value })}>
                    {!who.timezone && <option value="">{t("person.machine")}</option>}
                    {[...new Set([who.timezone ?? "UTC", "UTC", ...zones()])].map((zone) => <option key={zone} value={zone}>{zone.replaceAll("_", " ")}</option>)}
                  </select>
                )}
              </Field>
              <Field label={t("person.language")} hint={t("person.language_what")}>
                {(id) => (
                  <select id={id} value={who.language ?? "en"} onChange={(event) => void change(who, { language: event.target.value })}>
                    {LANGUAGES.map((name: Language) => <option key={name} value={name} lang={name}>{NAMES[name]}</option>)}
                  </select>
                )}
              </Field>
            </div>
            {failure && <p className="error-line" role="alert">{failure}</p>}
          </div>
        )}
      </Show>
    </Card>
  );
}

/** The settings that a person asks about, by what they are for; `commonplace settings` lists all. */
const GROUPS = {
  models: ["llm", "llm_daily_tokens", "llm_operation_tokens", "judge"],
  embedders: ["embedder", "embed_url"],
  thresholds: ["judge_act", "judge_ask", "recipe"],
  retention: ["episode_retention_days", "quota_memories", "maintenance", "maintenance_hours", "backup_schedule", "backup_keep"],
  privacy: ["off", "ignore_paths", "ignore_tools", "hook_tools"],
} as const;

function ServerSettings() {
  const settings = useResource("settings", (signal) => call<Page<SettingValue>>("GET", "/v1/settings", { signal, bare: true }));
  if (settings.error instanceof Problem && settings.error.status === 403) return null; // somebody else's server
  return (
    <Card title={t("server.title")}>
      <p className="muted">{t("server.how")} <code>~/.config/commonplace/config.toml</code></p>
      <Show of={settings} rows={6} height={40}>
        {({ items }) => (
          <>
            {(Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
              <section key={group} className="stack tight">
                <h3>{t(`server.${group}`)}</h3>
                <table className="rows cards-narrow settings-table">
                  <tbody>
                    {GROUPS[group].map((name) => {
                      const setting = items.find((item) => item.name === name);
                      return (
                        <tr key={name}>
                          <th scope="row">{t(`setting.${name}` as Key)} <code className="small muted block">{name}</code></th>
                          <td data-label={t("server.value")}><Plain text={shown(setting?.value)} /></td>
                          <td data-label={t("server.origin")} className="muted small">{setting?.origin ? <Plain text={setting.origin} /> : t("server.default")}</td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </section>
            ))}
          </>
        )}
      </Show>
    </Card>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return t("server.unset");
  if (typeof value === "boolean") return t(value ? "server.on" : "server.off");
  if (Array.isArray(value)) return value.length ? value.join(", ") : t("server.unset");
  return typeof value === "string" ? value : JSON.stringify(value);
}
