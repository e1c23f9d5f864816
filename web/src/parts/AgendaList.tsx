import { call, part } from "../api/client";
import { refresh, useResource, type Resource } from "../api/query";
import type { AgendaItem, Page, Receipt } from "../api/types";
import { day } from "../format";
import { t } from "../i18n";
import { href } from "../router";
import { Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { Icon } from "./icons";
import { complain, tell, tellUndo } from "./notices";

/** What an agenda is made of. */
export const NOUNS = ["memory", "relation"];

/** The day of today where the person is. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const useAgenda = (): Resource<Page<AgendaItem>> => useResource("agenda", (signal) => call<Page<AgendaItem>>("GET", "/v1/agenda", { signal }), NOUNS);

export function AgendaList({ items, agenda }: { items: AgendaItem[]; agenda: Resource<Page<AgendaItem>> }) {
  const close = async (item: AgendaItem) => {
    const before = agenda.data!;
    agenda.set({ ...before, items: before.items.filter(({ id }) => id !== item.id) });
    const end = (id: string) => call<Receipt>("POST", `/v1/memories/${part(id)}/end`, { body: {} });
    try {
      if (item.kind === "silent") {
        await end(item.id);
        await call("POST", "/v1/relations", { body: { subject: item.name, predicate: "last_contacted_on", object: today(), subject_type: "person", object_type: "date" } });
        tell(t("agenda.contact_saved"));
      } else {
        const receipt = await end(item.id);
        if (item.deadline) await end(item.deadline);
        tellUndo(t("agenda.closed"), receipt, agenda.reload);
      }
      refresh(new Set(NOUNS));
    } catch (error) {
      agenda.set(before);
      complain(error);
    }
  };
  return (
    <ul className="lines">
      {items.map((item) => (
        <li key={item.id} className="row between nowrap">
          <span className="grow">
            <a href={href(["memories", item.id])} className="memory-text"><Plain text={sentence(item)} /></a>
            {item.day && <span className={`small block ${item.kind !== "silent" && item.day < today() ? "late" : "muted"}`}>{dayOf(item)}</span>}
          </span>
          <button type="button" onClick={() => void close(item)}>
            <Icon name="check" size={16} /> {item.kind === "silent" ? t("agenda.contacted") : t("agenda.close")}
          </button>
        </li>
      ))}
    </ul>
  );
}

function sentence({ kind, name, debtor }: AgendaItem): string {
  const label = cut(name, 200);
  if (kind === "due") return label;
  if (kind === "silent") return t("agenda.silent_name", { name: label });
  return debtor ? t("agenda.owed_by", { name: label, debtor }) : t("agenda.owed_to", { name: label });
}

function dayOf({ kind, day: name }: AgendaItem): string {
  if (kind === "silent") return t("agenda.last", { day: day(name!) });
  if (name === today()) return t("agenda.today");
  return t(name! < today() ? "agenda.late" : "agenda.until", { day: day(name!) });
}
