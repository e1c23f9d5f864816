import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Autocomplete, Dialog, Header, Input, Menu, MenuItem, MenuSection, Modal, ModalOverlay, TextField } from "react-aria-components";
import { call } from "./api/client";
import { useResource } from "./api/query";
import { byRelevance } from "./api/recall";
import type { Hit, Namespace, Page } from "./api/types";
import { t, word } from "./i18n";
import { go } from "./navigation";
import { panel } from "./panels";
import { Icon, type IconName } from "./parts/icons";
import { memoryHref } from "./parts/memory";
import { href } from "./router";
import { SCREENS } from "./screens";
import { namespace, signOut, switchNamespace } from "./session";
import { useStore } from "./store";
import { Plain } from "./text/Plain";
import { cut } from "./text/plain";
import { useDelayed } from "./parts/delay";

interface Entry {
  id: string;
  label: string;
  icon: IconName;
  note?: string;
  run: () => void;
}

const FOUND = 6;
const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Search memories, go to a screen, or do something, by typing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const space = useStore(namespace);
  const query = useDelayed(text.trim(), 120);
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }));
  const found = useQuery({
    queryKey: [space, "palette", query],
    queryFn: ({ signal }) => call<{ items: Hit[] }>("POST", "/v1/recall", { body: { query, limit: FOUND, explain: true }, signal }),
    enabled: query.length > 1,
    placeholderData: (before) => before,
  });
  const memories: Entry[] = (query.length > 1 ? byRelevance(found.data?.items ?? []).relevant : []).map(({ memory }) => ({
    id: memory.id,
    label: cut(memory.text, 120),
    icon: memory.kind === "episodic" ? "notes" : "book",
    note: word("category", memory.category),
    run: () => go(memoryHref(memory)),
  }));
  const actions: Entry[] = [
    { id: "add", label: t("memories.add"), icon: "plus", run: () => panel.set("add") },
    ...(text.trim() ? [{ id: "search", label: t("palette.search_for", { text: cut(text.trim(), 60) }), icon: "search" as const, run: () => go(href("memories", { q: text.trim() })) }] : []),
    { id: "connect", label: t("start.connect"), icon: "key", run: () => panel.set("connect") },
    { id: "import", label: t("start.import"), icon: "upload", run: () => go(href(["maintenance", "data"])) },
    { id: "display", label: t("display.title"), icon: "display", run: () => panel.set("display") },
    { id: "shortcuts", label: t("keys.title"), icon: "more", run: () => panel.set("shortcuts") },
    ...(spaces.data?.items ?? []).filter(({ name }) => name !== space).map(({ name }): Entry => ({ id: `space ${name}`, label: t("palette.namespace", { name }), icon: "archive", run: () => switchNamespace(name) })),
    { id: "out", label: t("sign.out"), icon: "out", run: signOut },
  ];
  const screens: Entry[] = SCREENS.map((screen) => ({ id: `go ${screen.path}`, label: t(screen.label), icon: screen.icon, run: () => go(href(screen.path)) }));
  const matching = (entries: Entry[]) => entries.filter(({ id, label }) => id === "search" || fold(label).includes(fold(text.trim())));
  const sections = [
    { id: "screens", title: t("palette.screens"), entries: matching(screens) },
    { id: "actions", title: t("palette.actions"), entries: matching(actions) },
    { id: "memories", title: t("nav.memories"), entries: memories },
  ].filter(({ entries }) => entries.length);
  const run = (id: React.Key) => {
    onClose();
    sections.flatMap(({ entries }) => entries).find((entry) => entry.id === id)?.run();
  };
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(open) => !open && onClose()} className="overlay high">
      <Modal className="dialog palette">
        <Dialog aria-label={t("palette.title")}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            {/* Not a SearchField, which empties itself at Escape: one Escape closes the palette. */}
            {/* eslint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type here */}
            <TextField aria-label={t("palette.title")} autoFocus type="search" className="searching">
              <Icon name="search" />
              <Input placeholder={t("palette.hint")} />
            </TextField>
            <Menu aria-label={t("palette.results")} className="palette-list" onAction={run} renderEmptyState={() => <p className="muted pad">{t("home.nothing")}</p>}>
              {sections.map(({ id, title, entries }) => (
                <MenuSection key={id} id={id}>
                  <Header>{title}</Header>
                  {entries.map((entry) => (
                    <MenuItem key={entry.id} id={entry.id} textValue={entry.label} className="palette-item">
                      <Icon name={entry.icon} size={16} />
                      <span className="grow"><Plain text={entry.label} /></span>
                      {entry.note && <span className="muted small">{entry.note}</span>}
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
