import { useState } from "react";
import { call } from "../api/client";
import { refresh } from "../api/query";
import { t } from "../i18n";
import { AgendaList, NOUNS, useAgenda } from "../parts/AgendaList";
import { Card, Field, Screen } from "../parts/bits";
import { Dialog } from "../parts/dialog";
import { errorText } from "../parts/errors";
import { Icon } from "../parts/icons";
import { tell } from "../parts/notices";
import { Empty, Show } from "../parts/states";

const KINDS = ["owed", "due", "silent"] as const;

/** Follow-ups that are owed, deadlines, and people not contacted for long. */
export function Agenda() {
  const agenda = useAgenda();
  const [adding, setAdding] = useState(false);
  return (
    <Screen title={t("nav.agenda")} lead={t("agenda.lead")} action={<button type="button" className="primary" onClick={() => setAdding(true)}><Icon name="plus" /> {t("agenda.add")}</button>}>
      {adding && <NewFollowUp onClose={() => setAdding(false)} />}
      <Show of={agenda} rows={4}>
        {({ items }) =>
          items.length ? (
            KINDS.filter((kind) => items.some((item) => item.kind === kind)).map((kind) => (
              <Card key={kind} title={t(`agenda.${kind}`)}>
                <AgendaList items={items.filter((item) => item.kind === kind)} agenda={agenda} />
              </Card>
            ))
          ) : (
            <Empty icon="check" title={t("agenda.none")}>{t("agenda.none_how")}</Empty>
          )
        }
      </Show>
    </Screen>
  );
}

function NewFollowUp({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [until, setUntil] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    try {
      await call("POST", "/v1/relations", { body: { subject: "owner", predicate: "owes_followup", object: name.trim(), subject_type: "person", object_type: "person" } });
      if (until) await call("POST", "/v1/memories", { body: { text: `Follow-up to ${name.trim()} is due ${until}.`, category: "context" } });
      refresh(new Set(NOUNS));
      onClose();
      tell(t("saved"));
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <Dialog title={t("agenda.add")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) void save();
        }}
      >
        <Field label={t("agenda.who")}>{(id) => <input id={id} required value={name} onChange={(event) => setName(event.target.value)} />}</Field>
        <Field label={t("agenda.when")}>{(id) => <input id={id} type="date" value={until} onChange={(event) => setUntil(event.target.value)} />}</Field>
        {failure && <p className="error-line" role="alert">{failure}</p>}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={!name.trim()}>{t("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}
