import { call } from "../api/client";
import { useResource } from "../api/resource";
import { CATEGORIES, KINDS, SOURCES, STATUSES, type Namespace, type Page, type Tag } from "../api/types";
import { date } from "../format";
import { t, word } from "../i18n";
import { Field } from "../parts/bits";
import { Clocks } from "../parts/Clocks";
import { Dialog } from "../parts/dialog";
import { Plain } from "../text/Plain";

const MANY = ["kinds", "categories", "statuses", "sources", "tags", "namespaces"] as const;
const ONE = ["since", "until", "as_of", "known_at", "sort", "q"] as const;
type Many = (typeof MANY)[number];
type One = (typeof ONE)[number];

/** What the list shall show; stands in the address, so that it can be bookmarked. */
export type Wanted = Partial<Record<Many, string[]> & Record<One, string>>;

export function wantedIn(query: URLSearchParams): Wanted {
  const out: Wanted = {};
  for (const name of MANY) if (query.has(name)) out[name] = query.getAll(name);
  for (const name of ONE) if (query.get(name)) out[name] = query.get(name)!;
  return out;
}

export interface Chosen {
  name: Many | One;
  value: string;
  label: string;
}

const GROUPS = { kinds: "kind", categories: "category", statuses: "status", sources: "source" } as const;

/** The filters in force, each as a word that can be taken away. */
export function chosen(wanted: Wanted): Chosen[] {
  const out: Chosen[] = [];
  for (const name of MANY) {
    for (const value of wanted[name] ?? []) {
      out.push({ name, value, label: name in GROUPS ? word(GROUPS[name as keyof typeof GROUPS], value) : value });
    }
  }
  for (const name of ["since", "until", "as_of", "known_at"] as const) {
    const value = wanted[name];
    if (value) out.push({ name, value, label: t(`filter.${name}`, { date: date(value) }) });
  }
  return out;
}

export function withoutOne(wanted: Wanted, one: Chosen): Wanted {
  const left = wanted[one.name];
  return { ...wanted, [one.name]: Array.isArray(left) ? left.filter((value) => value !== one.value) : "" };
}

interface Shown {
  wanted: Wanted;
  onChange: (next: Wanted) => void;
  onClose: () => void;
}

export function Filters({ wanted, onChange, onClose }: Shown) {
  const tags = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { signal }));
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }));
  const toggle = (name: Many, value: string) => {
    const old = wanted[name] ?? [];
    onChange({ ...wanted, [name]: old.includes(value) ? old.filter((one) => one !== value) : [...old, value] });
  };
  const group = (name: Many, title: string, values: readonly string[], label: (value: string) => string) =>
    values.length > 0 && (
      <fieldset className="chips">
        <legend>{title}</legend>
        <div className="row tight">
          {values.map((one) => (
            <button key={one} type="button" className="chip" aria-pressed={wanted[name]?.includes(one) ?? false} onClick={() => toggle(name, one)}>
              <Plain text={label(one)} />
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
          value={wanted[name]?.slice(0, 10) ?? ""}
          onChange={(event) => onChange({ ...wanted, [name]: event.target.value ? `${event.target.value}T${name === "since" ? "00:00:00" : "23:59:59"}Z` : "" })}
        />
      )}
    </Field>
  );
  return (
    <Dialog side title={t("filter.title")} onClose={onClose}>
      <div className="stack">
        {group("kinds", t("filter.kind"), KINDS, (one) => word("kind", one))}
        {group("categories", t("filter.category"), CATEGORIES, (one) => word("category", one))}
        {group("statuses", t("filter.status"), STATUSES, (one) => word("status", one))}
        {group("sources", t("filter.source"), SOURCES, (one) => word("source", one))}
        {group("tags", t("filter.tag"), (tags.data?.items ?? []).slice(0, 60).map((one) => one.name), (one) => one)}
        {group("namespaces", t("filter.namespace"), (spaces.data?.items ?? []).map((one) => one.name), (one) => one)}
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
            value={{ as_of: wanted.as_of ?? null, known_at: wanted.known_at ?? null }}
            onChange={(value) => onChange({ ...wanted, as_of: value.as_of ?? "", known_at: value.known_at ?? "" })}
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
