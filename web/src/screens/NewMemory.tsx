import { useState } from "react";
import { call, Problem } from "../api/client";
import { useResource } from "../api/query";
import { CATEGORIES, type Page, type Receipt, type Tag } from "../api/types";
import { t, word } from "../i18n";
import { go } from "../navigation";
import { Field } from "../parts/bits";
import { Dialog } from "../parts/dialog";
import { errorText } from "../parts/errors";
import { ctrl } from "../parts/keys";
import { tellUndo } from "../parts/notices";
import { href } from "../router";
import { TagsInput } from "../parts/TagsInput";

export function NewMemory({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [category, setCategory] = useState<string>("fact");
  const [tags, setTags] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const known = useResource("tags", (signal) => call<Page<Tag>>("GET", "/v1/tags", { signal }), ["tag"]);
  // A value that was rejected or forgotten comes back only if a person says so twice.
  const refused = failure instanceof Problem && failure.kind === "Tombstoned";
  const save = async (again = false) => {
    setBusy(true);
    setFailure(null);
    try {
      const receipt = await call<Receipt>("POST", "/v1/memories", { body: { text: text.trim(), category, tags, confirm: again } });
      onClose();
      tellUndo(t("saved"), receipt, () => go(href("memories")));
      if (receipt.id) go(href(["memories", receipt.id]));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("memories.add")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() && !busy) void save();
        }}
      >
        <Field label={t("memories.text")}>
          {(id) => (
            <textarea
              id={id}
              value={text}
              required
              // eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to write here
              autoFocus
              placeholder={t("memories.text_example")}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && text.trim() && !busy) void save();
              }}
            />
          )}
        </Field>
        <Field label={t("filter.category")}>
          {(id) => (
            <select id={id} value={category} onChange={(event) => setCategory(event.target.value)}>
              {CATEGORIES.map((name) => (
                <option key={name} value={name}>{word("category", name)}</option>
              ))}
            </select>
          )}
        </Field>
        <TagsInput value={tags} onChange={setTags} known={known.data?.items.map(({ name }) => name) ?? []} />
        {failure !== null && (
          <p className="error-line row" role="alert">
            {refused ? t("memories.refused") : errorText(failure)}
            {refused && <button type="button" disabled={busy} onClick={() => void save(true)}>{t("memories.save_again")}</button>}
          </p>
        )}
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={busy || !text.trim()}>{t("save")} <kbd>{ctrl()} ↵</kbd></button>
        </div>
      </form>
    </Dialog>
  );
}
