import { layout, LAYOUTS, setLayout, setTheme, theme, THEMES } from "../display";
import { LANGUAGES, NAMES, language, setLanguage, t, type Language } from "../i18n";
import { useStore } from "../store";
import { Field, Segments } from "./bits";
import { Dialog } from "./dialog";
import { complain } from "./notices";

export function DisplayDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("display.title")} onClose={onClose}>
      <DisplayFields />
    </Dialog>
  );
}

/** Theme, language and layout: this browser's business, never the book's. */
export function DisplayFields() {
  const look = useStore(theme);
  const spacing = useStore(layout);
  const current = useStore(language);
  return (
      <div className="stack">
        <Segments label={t("display.theme")} value={look} onChange={setTheme} options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))} />
        <Segments label={t("display.layout")} value={spacing} onChange={setLayout} options={LAYOUTS.map((value) => ({ value, label: t(`layout.${value}`) }))} />
        <Field label={t("display.language")}>
          {(id) => (
            <select id={id} value={current} onChange={(event) => void setLanguage(event.target.value as Language).catch(complain)}>
              {LANGUAGES.map((one) => (
                <option key={one} value={one} lang={one}>
                  {NAMES[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <p className="muted small">{t("display.note")}</p>
      </div>
  );
}
