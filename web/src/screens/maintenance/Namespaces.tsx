import { useState } from "react";
import { call, part } from "../../api/client";
import { useResource } from "../../api/query";
import type { Namespace, Page } from "../../api/types";
import { t } from "../../i18n";
import { Badge, Card, Field } from "../../parts/bits";
import { confirm, Dialog } from "../../parts/dialog";
import { Icon } from "../../parts/icons";
import { complain, tell } from "../../parts/notices";
import { Show } from "../../parts/states";
import { namespace, switchNamespace } from "../../session";
import { useStore } from "../../store";
import { Plain } from "../../text/Plain";

export function Namespaces() {
  const here = useStore(namespace);
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }), ["namespace"]);
  const [editing, setEditing] = useState<Namespace | "new" | null>(null);
  const drop = async (one: Namespace) => {
    if (!(await confirm(t("namespaces.delete"), <p>{t("namespaces.delete_what", { name: one.name })}</p>, { yes: t("delete"), danger: true }))) return;
    try {
      await call("DELETE", `/v1/namespaces/${part(one.name)}`, { headers: { "X-Confirm": "true" }, bare: true });
      if (one.name === here) switchNamespace("default");
      tell(t("namespaces.deleted"));
      spaces.reload();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Card title={t("namespaces.title")} action={<button type="button" onClick={() => setEditing("new")}><Icon name="plus" size={18} /> {t("namespaces.make")}</button>}>
      <p className="muted">{t("namespaces.what")}</p>
      <Show of={spaces} rows={3} height={44}>
        {({ items }) => (
          <ul className="lines">
            {items.map((one) => (
              <li key={one.name} className="row between">
                <span className="grow">
                  <strong><Plain text={one.name} /></strong> {one.name === here && <Badge tone="accent">{t("namespaces.here")}</Badge>}
                  <span className="muted small block"><Plain text={one.description ?? ""} /></span>
                </span>
                <span className="row tight">
                  {one.name !== here && <button type="button" className="quiet" onClick={() => switchNamespace(one.name)}>{t("namespaces.go")}</button>}
                  <button type="button" className="icon-button" aria-label={t("namespaces.edit", { name: one.name })} title={t("edit")} onClick={() => setEditing(one)}><Icon name="edit" /></button>
                  <button type="button" className="icon-button" aria-label={t("namespaces.delete_one", { name: one.name })} title={t("delete")} onClick={() => void drop(one)}><Icon name="trash" /></button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Show>
      {editing && <Edit given={editing === "new" ? null : editing} onClose={() => setEditing(null)} onSaved={() => { setEditing(null); tell(t("saved")); spaces.reload(); }} />}
    </Card>
  );
}

function Edit({ given, onClose, onSaved }: { given: Namespace | null; onClose: () => void; onSaved: () => void }) {
  const [name, setName] = useState(given?.name ?? "");
  const [description, setDescription] = useState(given?.description ?? "");
  const save = async () => {
    const body = { name: name.trim(), description: description.trim() || null };
    try {
      if (given) {
        await call("PATCH", `/v1/namespaces/${part(given.name)}`, { body, bare: true });
        if (given.name === namespace.get()) switchNamespace(body.name);
      } else await call("POST", "/v1/namespaces", { body, bare: true });
      onSaved();
    } catch (error) {
      complain(error);
    }
  };
  return (
    <Dialog title={given ? t("namespaces.edit", { name: given.name }) : t("namespaces.make")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void save();
        }}
      >
        <Field label={t("name")}>{(id) => <input id={id} required value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <Field label={t("description")}>{(id) => <input id={id} value={description} onChange={(event) => setDescription(event.target.value)} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary">{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
