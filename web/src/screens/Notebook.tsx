import { call, part } from "../api/client";
import { useResource } from "../api/resource";
import type { NotebookFile } from "../api/types";
import { bytes } from "../format";
import { t, word } from "../i18n";
import { Screen, When } from "../parts/bits";
import { Empty, Show } from "../parts/states";
import { href, usePlace } from "../router";
import { Markdown } from "../text/Markdown";
import { Plain } from "../text/Plain";

/** The project's Markdown files, to read. Writing them is the notebook's business, on the machine they are on. */
export function Notebook() {
  const { path } = usePlace();
  const files = useResource("notebook", (signal) => call<{ files: NotebookFile[] }>("GET", "/v1/notebook", { signal }));
  return (
    <Screen title={t("nav.notebook")} lead={t("notebook.lead")}>
      <Show of={files} rows={4}>
        {(found) => {
          if (!found.files.length) return <Empty icon="notes" title={t("notebook.none")}>{t("notebook.none_how")}</Empty>;
          const name = path.slice(1).join("/") || found.files[0]!.name;
          const tiers = [...new Set(found.files.map((one) => one.tier))];
          return (
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
              <File name={name} />
            </div>
          );
        }}
      </Show>
    </Screen>
  );
}

function File({ name }: { name: string }) {
  const file = useResource(`notebook/${name}`, (signal) => call<{ name: string; text: string }>("GET", `/v1/notebook/${name.split("/").map(part).join("/")}`, { signal }));
  return (
    <article className="card paper" aria-label={name}>
      <Show of={file} rows={6} height={28}>
        {({ text }) => (text.trim() ? <Markdown text={text} /> : <Empty icon="notes" title={t("notebook.blank")} />)}
      </Show>
    </article>
  );
}
