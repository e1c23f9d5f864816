import { useEffect } from "react";
import { t } from "./i18n";
import { panel, type Panel } from "./panels";
import { Dialog } from "./parts/dialog";
import { DisplayDialog } from "./parts/DisplayDialog";
import { ctrl } from "./parts/keys";
import { later } from "./parts/later";
import { tell } from "./parts/notices";
import { useStore } from "./store";

function unreachable({ onClose }: { onClose: () => void }): void {
  onClose();
  tell(t("error.offline_title"), { tone: "bad" });
}

const Palette = later(async () => (await import("./Palette")).Palette, unreachable);
const NewMemory = later(async () => (await import("./screens/NewMemory")).NewMemory, unreachable);
const Connect = later(async () => (await import("./screens/Connect")).ConnectDialog, unreachable);

/** What a key opens, unless somebody is writing. */
const KEYS: Record<string, Panel> = { "?": "shortcuts", n: "add", "+": "add" };

/** The keyboard shortcuts that work everywhere, and the dialogs they open. */
export function Shortcuts() {
  const open = useStore(panel);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        panel.set("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [role=dialog], canvas")) return;
      if (event.key === "/") {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (field) field.focus();
        else panel.set("palette");
      } else if (KEYS[event.key]) {
        event.preventDefault();
        panel.set(KEYS[event.key]!);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  const close = () => panel.set(null);
  return (
    <>
      {open === "palette" && <Palette onClose={close} />}
      {open === "add" && <NewMemory onClose={close} />}
      {open === "connect" && <Connect onClose={close} />}
      {open === "display" && <DisplayDialog onClose={close} />}
      {open === "shortcuts" && <ShortcutsDialog onClose={close} />}
    </>
  );
}

function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t("keys.title")} onClose={onClose} wide>
      <ShortcutList />
    </Dialog>
  );
}

export function ShortcutList() {
  const groups: [string, [string, string][]][] = [
    [t("keys.everywhere"), [[`${ctrl()} K`, t("palette.open")], ["/", t("keys.search")], ["N +", t("memories.add")], ["?", t("keys.title")], ["Esc", t("close")]]],
    [t("nav.memories"), [["↑ ↓", t("keys.walk")], ["↵", t("keys.open")]]],
    [t("nav.review"), [["A", t("review.approve")], ["C", t("correct")], ["R", t("reject")], ["S", t("review.skip")], ["J K", t("keys.walk")]]],
    [t("nav.graph"), [["← ↑ → ↓", t("keys.move")], ["+ −", t("keys.zoom")], ["0", t("graph.whole")]]],
  ];
  return (
      <div className="shortcut-groups">
        {groups.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(([keys, meaning]) => (
                <div key={keys}>
                  <dt>{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
  );
}
