import { useState } from "react";
import { call } from "../api/client";
import { CATEGORIES, type Receipt } from "../api/types";
import { t, word } from "../i18n";
import { Field } from "../parts/bits";
import { Dialog } from "../parts/dialog";
import { complain, tellUndo } from "../parts/notices";
import { go, href } from "../router";

export function NewMemory({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [category, setCategory] = useState<string>("fact");
  const [tags, setTags] = useState("");
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    try {
      const list = tags.split(",").map((one) => one.trim()).filter(Boolean);
      const receipt = await call<Receipt>("POST", "/v1/memories", { body: { text: text.trim(), category, tags: list } });
      onClose();
      tellUndo(t("saved"), receipt, () => go(href("memories")));
      if (receipt.id) go(href(["memories", receipt.id]));
    } catch (error) {
      complain(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("memories.add")} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) void keep();
        }}
      >
        <Field label={t("memories.text")}>{(id) => <textarea id={id} value={text} required onChange={(event) => setText(event.target.value)} />}</Field>
        <Field label={t("filter.category")}>
          {(id) => (
            <select id={id} value={category} onChange={(event) => setCategory(event.target.value)}>
              {CATEGORIES.map((one) => (
                <option key={one} value={one}>{word("category", one)}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label={t("tags")} hint={t("tags.how")}>{(id) => <input id={id} value={tags} onChange={(event) => setTags(event.target.value)} />}</Field>
        <div className="form-foot">
          <button type="button" onClick={onClose}>{t("cancel")}</button>
          <button type="submit" className="primary" disabled={busy || !text.trim()}>{t("memories.keep")}</button>
        </div>
      </form>
    </Dialog>
  );
}
