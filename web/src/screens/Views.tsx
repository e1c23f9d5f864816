import { useState } from "react";
import { t } from "../i18n";
import { go } from "../navigation";
import { Field } from "../parts/bits";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { tell } from "../parts/notices";
import { href, search } from "../router";
import { store, useStore } from "../store";
import { Plain } from "../text/Plain";
import { chips, type Filter } from "./Filters";

interface View {
  name: string;
  filter: Filter;
}

const STORAGE_KEY = "commonplace.views";
const MOST_VIEWS = 20;

function saved(): View[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as View[];
  } catch {
    return [];
  }
}

/** Filters saved under a name. They are kept in this browser, never in the book. */
const views = store<View[]>(typeof localStorage === "undefined" ? [] : saved());

function keep(next: View[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  views.set(next);
}

/** What was searched for may be personal: erasing everything takes the views along. */
export const forgetViews = (): void => keep([]);

const same = (one: Filter, other: Filter): boolean => search({ ...one }) === search({ ...other });

/** The saved views, and a button that saves the filter in use. */
export function Views({ filter }: { filter: Filter }) {
  const list = useStore(views);
  const [naming, setNaming] = useState(false);
  const current = list.find((view) => same(view.filter, filter));
  const savable = !current && (chips(filter).length > 0 || Boolean(filter.q?.trim()));
  if (!list.length && !savable) return null;
  const drop = (view: View) => {
    const before = list;
    keep(list.filter((other) => other !== view));
    tell(t("views.deleted"), { undo: () => keep(before) });
  };
  return (
    <div className="row tight views" role="group" aria-label={t("views.title")}>
      {list.map((view) => (
        <span key={view.name} className="row tight nowrap">
          <button type="button" className="chip" aria-pressed={view === current} onClick={() => go(href("memories", { ...view.filter }))}>
            <Icon name="filter" size={14} /> <Plain text={view.name} />
          </button>
          {view === current && (
            <button type="button" className="icon-button small-button" aria-label={t("views.delete", { name: view.name })} title={t("delete")} onClick={() => drop(view)}>
              <Icon name="trash" size={14} />
            </button>
          )}
        </span>
      ))}
      {savable && (
        <button type="button" className="link small" onClick={() => setNaming(true)}>
          {t("views.save")}
        </button>
      )}
      {naming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onSave={(name) => {
            keep([...list.filter((view) => view.name !== name), { name, filter }].slice(-MOST_VIEWS));
            setNaming(false);
            tell(t("saved"));
          }}
        />
      )}
    </div>
  );
}

function NameDialog({ onClose, onSave }: { onClose: () => void; onSave: (name: string) => void }) {
  const [name, setName] = useState("");
  return (
    <Dialog title={t("views.save")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) onSave(name.trim());
        }}
      >
        <Field label={t("name")} hint={t("views.where")}>{(id) => <input id={id} required maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={!name.trim()}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
