import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/query";
import type { Page, Tag } from "../../api/types";
import { t } from "../../i18n";
import { Card, Field } from "../../parts/bits";
import { confirm, Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icons";
import { complain, tell } from "../../parts/notices";
import { Empty, Show } from "../../parts/states";
import { href } from "../../router";
import { Plain } from "../../text/Plain";

/** The tags of a namespace: what each means, its other names, and joining two that mean the same. */
export function Glossary() {
  const tags = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { query: { limit: 500 }, signal }), ["tag", "memory"]);
  const [editing, setEditing] = useState<Tag | "new" | null>(null);
  const drop = async (one: Tag) => {
    if (!(await confirm(t("glossary.delete"), <p><Plain text={one.name} />: {t("glossary.links", { n: one.links })}</p>, { yes: t("delete"), danger: true }))) return;
    const page = tags.data!;
    tags.set({ ...page, items: page.items.filter((tag) => tag.name !== one.name) });
    try {
      await call("DELETE", `/v1/tags/${part(one.name)}`);
      tell(t("glossary.deleted"));
    } catch (error) {
      tags.set(page);
      complain(error);
    }
  };
  return (
    <Card title={t("glossary.title")} action={<button type="button" onClick={() => setEditing("new")}><Icon name="plus" size={18} /> {t("glossary.make")}</button>}>
      <Show of={tags} rows={4} height={44}>
        {({ items }) =>
          items.length ? (
            <ul className="lines">
              {items.map((one) => (
                <li key={one.id} className="row between">
                  <span className="grow">
                    <a href={href("memories", { tags: one.name })}><Plain text={one.name} /></a> <span className="muted small">{t("glossary.links", { n: one.links })}</span>
                    <span className="muted small block">
                      <Plain text={one.description ?? ""} />
                      {one.synonyms.length > 0 && <> · {t("glossary.also")} <Plain text={one.synonyms.join(", ")} /></>}
                    </span>
                  </span>
                  <span className="row tight">
                    <button type="button" className="icon-button" aria-label={t("glossary.edit", { name: one.name })} title={t("edit")} onClick={() => setEditing(one)}><Icon name="edit" /></button>
                    <button type="button" className="icon-button" aria-label={t("glossary.delete_one", { name: one.name })} title={t("delete")} onClick={() => void drop(one)}><Icon name="trash" /></button>
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <Empty icon="tag" title={t("glossary.none")} />
          )
        }
      </Show>
      {editing && (
        <Edit
          given={editing === "new" ? null : editing}
          others={(tags.data?.items ?? []).map((one) => one.name)}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null);
            tell(t("saved"));
            tags.reload();
          }}
        />
      )}
    </Card>
  );
}

interface EditProps {
  given: Tag | null;
  others: string[];
  onClose: () => void;
  onSaved: () => void;
}

function Edit({ given, others, onClose, onSaved }: EditProps) {
  const [name, setName] = useState(given?.name ?? "");
  const [description, setDescription] = useState(given?.description ?? "");
  const [synonyms, setSynonyms] = useState(given?.synonyms.join(", ") ?? "");
  const [into, setInto] = useState("");
  const save = async () => {
    const body = { name: name.trim(), description: description.trim() || null, synonyms: synonyms.split(",").map((one) => one.trim()).filter(Boolean) };
    try {
      if (given && into) await call("POST", `/v1/tags/${part(given.name)}/merge`, { body: { into } });
      else if (given) await call("PATCH", `/v1/tags/${part(given.name)}`, { body });
      else await call("POST", "/v1/tags", { body });
      onSaved();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog title={given ? t("glossary.edit", { name: given.name }) : t("glossary.make")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void save();
        }}
      >
        <Field label={t("name")}>{(id) => <input id={id} required value={name} disabled={into !== ""} onChange={(event) => setName(event.target.value)} />}</Field>
        <Field label={t("description")}>{(id) => <input id={id} value={description} disabled={into !== ""} onChange={(event) => setDescription(event.target.value)} />}</Field>
        <Field label={t("glossary.synonyms")} hint={t("tags.how")}>{(id) => <input id={id} value={synonyms} disabled={into !== ""} onChange={(event) => setSynonyms(event.target.value)} />}</Field>
        {given && (
          <Field label={t("glossary.merge")}>
            {(id) => (
              <select id={id} value={into} onChange={(event) => setInto(event.target.value)}>
                <option value="">–</option>
                {others.filter((one) => one !== given.name).map((one) => <option key={one} value={one}>{one}</option>)}
              </select>
            )}
          </Field>
        )}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary">{into ? t("glossary.merge_do") : t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
