import { call } from "../api/client";
import { useResource } from "../api/query";
import { CATEGORIES, KINDS, SOURCES, STATUSES, type Namespace, type Page, type Tag } from "../api/types";
import { date } from "../format";
import { t, word } from "../i18n";
import { Field } from "../parts/bits";
import { Clocks } from "../parts/Clocks";
import { Dialog } from "../parts/dialog";
import { Plain } from "../text/Plain";

const LISTS = ["kinds", "categories", "statuses", "sources", "tags", "namespaces"] as const;
const VALUES = ["since", "until", "as_of", "known_at", "sort", "q", "show"] as const;
type ListName = (typeof LISTS)[number];
type ValueName = (typeof VALUES)[number];

/** What the list shows; it is in the address, so that it can be bookmarked. */
export type Filter = Partial<Record<ListName, string[]> & Record<ValueName, string>>;

/** What the switch between facts and messages shows. */
export const SHOWN = {
  facts: KINDS.filter((kind) => kind !== "episodic"),
  messages: ["episodic"],
  all: [...KINDS],
} as const;

/** The kinds of memory to ask for: chosen in the filter, else by the switch. */
export function kindsOf({ kinds, show }: Filter): string[] {
  if (kinds?.length) return kinds;
  return show === "all" ? [] : [...SHOWN[show === "messages" ? "messages" : "facts"]];
}

export function filterFrom(query: URLSearchParams): Filter {
  const filter: Filter = {};
  for (const name of LISTS) if (query.has(name)) filter[name] = query.getAll(name);
  for (const name of VALUES) if (query.get(name)) filter[name] = query.get(name)!;
  return filter;
}

export interface Chip {
  name: ListName | ValueName;
  value: string;
  label: string;
}

const GROUPS = { kinds: "kind", categories: "category", statuses: "status", sources: "source" } as const;

/** The active filters, each as a chip that can be removed. */
export function chips(filter: Filter): Chip[] {
  const found: Chip[] = [];
  for (const name of LISTS) {
    for (const value of filter[name] ?? []) {
      found.push({ name, value, label: name in GROUPS ? word(GROUPS[name as keyof typeof GROUPS], value) : value });
    }
  }
  for (const name of ["since", "until", "as_of", "known_at"] as const) {
    const value = filter[name];
    if (value) found.push({ name, value, label: t(`filter.${name}`, { date: date(value) }) });
  }
  return found;
}

export function withoutChip(filter: Filter, chip: Chip): Filter {
  const current = filter[chip.name];
  return { ...filter, [chip.name]: Array.isArray(current) ? current.filter((value) => value !== chip.value) : "" };
}

interface Props {
  filter: Filter;
  onChange: (next: Filter) => void;
  onClose: () => void;
}

export function Filters({ filter, onChange, onClose }: Props) {
  const tags = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { signal }));
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }));
  const toggle = (name: ListName, value: string) => {
    const old = filter[name] ?? [];
    onChange({ ...filter, [name]: old.includes(value) ? old.filter((other) => other !== value) : [...old, value] });
  };
  const group = (name: ListName, title: string, values: readonly string[], label: (value: string) => string) =>
    values.length > 0 && (
      <fieldset className="chips">
        <legend>{title}</legend>
        <div className="row tight">
          {values.map((value) => (
            <button key={value} type="button" className="chip" aria-pressed={filter[name]?.includes(value) ?? false} onClick={() => toggle(name, value)}>
              <Plain text={label(value)} />
            </button>
          ))}
        </div>
      </fieldset>
    );
  const day = (name: "since" | "until", label: string) => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={filter[name]?.slice(0, 10) ?? ""}
          onChange={(event) => onChange({ ...filter, [name]: event.target.value ? `${event.target.value}T${name === "since" ? "00:00:00" : "23:59:59"}Z` : "" })}
        />
      )}
    </Field>
  );
  return (
    <Dialog side title={t("filter.title")} onClose={onClose}>
      <div className="stack">
        {group("kinds", t("filter.kind"), KINDS, (value) => word("kind", value))}
        {group("categories", t("filter.category"), CATEGORIES, (value) => word("category", value))}
        {group("statuses", t("filter.status"), STATUSES, (value) => word("status", value))}
        {group("sources", t("filter.source"), SOURCES, (value) => word("source", value))}
        {group("tags", t("filter.tag"), (tags.data?.items ?? []).slice(0, 60).map((item) => item.name), (value) => value)}
        {group("namespaces", t("filter.namespace"), (spaces.data?.items ?? []).map((item) => item.name), (value) => value)}
        <fieldset className="chips">
          <legend>{t("filter.time")}</legend>
          <div className="two-fields">
            {day("since", t("filter.from"))}
            {day("until", t("filter.to"))}
          </div>
        </fieldset>
        <fieldset className="chips">
          <legend>{t("clock.title")}</legend>
          <Clocks
            since={new Date(Date.now() - 2 * 365 * 86_400_000).toISOString()}
            value={{ as_of: filter.as_of ?? null, known_at: filter.known_at ?? null }}
            onChange={(value) => onChange({ ...filter, as_of: value.as_of ?? "", known_at: value.known_at ?? "" })}
          />
        </fieldset>
        <div className="form-foot">
          <button type="button" onClick={() => onChange({})}>{t("filter.clear")}</button>
          <button type="button" className="primary" onClick={onClose}>{t("filter.show")}</button>
        </div>
      </div>
    </Dialog>
  );
}
