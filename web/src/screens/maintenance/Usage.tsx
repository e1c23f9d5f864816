import { call } from "../../api/client";
import { useResource } from "../../api/query";
import type { UsageDay } from "../../api/types";
import { Columns } from "../../charts/Columns";
import { daysBetween } from "../../charts/scale";
import { number } from "../../format";
import { t } from "../../i18n";
import { Card, Meter } from "../../parts/bits";
import { Show } from "../../parts/states";

interface Used {
  items: UsageDay[];
  cap: number | null;
}

/** What the language models cost, against what was allowed. */
export function Usage() {
  const used = useResource("usage", (signal) => call<Used>("GET", "/v1/usage", { signal }));
  return (
    <Card title={t("usage.title")}>
      <Show of={used} rows={1} height={240}>
        {({ items, cap }) => {
          const days = daysBetween(new Date(Date.now() - 29 * 86_400_000), new Date());
          const today = days[days.length - 1]!;
          const sum = (day: string, field: "tokens" | "calls") => items.filter((one) => one.day.slice(0, 10) === day).reduce((all, one) => all + one[field], 0);
          const spent = sum(today, "tokens");
          return (
            <>
              <p>{cap ? t("usage.today", { n: number(spent), cap: number(cap) }) : t("usage.no_cap", { n: number(spent) })}</p>
              {cap ? <div className="wide-meter"><Meter value={spent / cap} label={t("usage.title")} tone={spent > cap * 0.95 ? "bad" : spent > cap * 0.75 ? "warn" : ""} /></div> : null}
              <Columns columns={days.map((day) => ({ day, values: [sum(day, "tokens")] }))} names={[t("usage.tokens")]} label={t("usage.title")} limit={cap ? { value: cap, name: t("usage.cap") } : undefined} />
              {items.length > 0 && (
                <div className="scroll-x" tabIndex={0} role="region" aria-label={t("text.table")}>
                  <table className="cards-narrow">
                    <thead>
                      <tr>
                        <th scope="col">{t("usage.day")}</th>
                        <th scope="col">{t("usage.what")}</th>
                        <th scope="col" className="end">{t("usage.calls")}</th>
                        <th scope="col" className="end">{t("usage.tokens")}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {[...items].sort((a, b) => (a.day < b.day ? 1 : -1)).slice(0, 60).map((one) => (
                        <tr key={`${one.day}-${one.what}`}>
                          <td data-label={t("usage.day")} className="number">{one.day.slice(0, 10)}</td>
                          <td data-label={t("usage.what")}>{one.what}</td>
                          <td data-label={t("usage.calls")} className="number end">{number(one.calls)}</td>
                          <td data-label={t("usage.tokens")} className="number end">{number(one.tokens)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </>
          );
        }}
      </Show>
    </Card>
  );
}
