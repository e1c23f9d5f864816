import { useState } from "react";
import { call, part } from "../api/client";
import { useResource } from "../api/query";
import type { NotebookFiles } from "../api/types";
import { bytes } from "../format";
import { t, word } from "../i18n";
import { Field, Screen, When } from "../parts/bits";
import { errorText } from "../parts/errors";
import { Icon } from "../parts/icons";
import { tell } from "../parts/notices";
import { Empty, Show } from "../parts/states";
import { useRouteId } from "../navigation";
import { href } from "../router";
import { Markdown } from "../text/Markdown";
import { Plain } from "../text/Plain";

/** The project's Markdown files: which folder they are in, to read and to edit with a preview. */
export function Notebook() {
  const file = useRouteId();
  const files = useResource("notebook", (signal) => call<NotebookFiles>("GET", "/v1/notebook", { signal }));
  return (
    <Screen title={t("nav.notebook")} lead={t("notebook.lead")}>
      <Show of={files} rows={4}>
        {(found) => {
          if (!found.files.length) return <Empty icon="notes" title={t("notebook.none")}>{t("notebook.none_how")}</Empty>;
          const name = file ?? found.files[0]!.name;
          const tiers = [...new Set(found.files.map((one) => one.tier))];
          return (
            <>
            {found.folder && <p className="small muted">{t("notebook.folder")} <code><Plain text={found.folder} /></code></p>}
            <div className="side-by-side">
              <nav aria-label={t("notebook.files")} className="files">
                {tiers.map((tier) => (
                  <section key={tier}>
                    <h2 className="small muted">{word("tier", tier)}</h2>
                    <ul>
                      {found.files.filter((one) => one.tier === tier).map((one) => (
                        <li key={one.name}>
                          <a href={href(["notebook", one.name])} aria-current={one.name === name ? "page" : undefined}>
                            <Plain text={one.name} />
                            <span className="muted small">{bytes(one.size)} · <When at={one.modified} /></span>
                          </a>
                        </li>
                      ))}
                    </ul>
                  </section>
                ))}
              </nav>
              <File key={name} name={name} />
            </div>
            </>
          );
        }}
      </Show>
    </Screen>
  );
}

interface FileText {
  name: string;
  text: string;
}

function File({ name }: { name: string }) {
  const path = `/v1/notebook/${name.split("/").map(part).join("/")}`;
  const file = useResource(`notebook/${name}`, (signal) => call<FileText>("GET", path, { signal }));
  const [draft, setDraft] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (before: string, after: string) => {
    try {
      file.set(await call<FileText>("PUT", path, { body: { before, after } }));
      setDraft(null);
      setFailure(null);
      tell(t("saved"));
    } catch (error) {
      setFailure(errorText(error));
    }
  };
  return (
    <article className="card paper" aria-label={name}>
      <Show of={file} rows={6} height={28}>
        {({ text }) =>
          draft === null ? (
            <>
              <div className="row end-row"><button type="button" onClick={() => setDraft(text)}><Icon name="edit" size={18} /> {t("edit")}</button></div>
              {text.trim() ? <Markdown text={text} /> : <Empty icon="notes" title={t("notebook.blank")} />}
            </>
          ) : (
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault();
                void save(text, draft);
              }}
            >
              <div className="editor">
                <Field label={t("notebook.text")}>
                  {(id) => <textarea id={id} className="mono" rows={18} spellCheck value={draft} onChange={(event) => setDraft(event.target.value)} />}
                </Field>
                <section className="preview" aria-label={t("notebook.preview")}>
                  <h2 className="small muted">{t("notebook.preview")}</h2>
                  <Markdown text={draft} />
                </section>
              </div>
              {failure && <p className="error-line" role="alert">{failure}</p>}
              <div className="form-foot">
                <button type="button" onClick={() => { setDraft(null); setFailure(null); file.reload(); }}>{t("cancel")}</button>
                <button type="submit" className="primary" disabled={draft === text}>{t("save")}</button>
              </div>
            </form>
          )
        }
      </Show>
    </article>
  );
}
