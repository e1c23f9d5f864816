import { useEffect, useRef } from "react";
import { call } from "./api/client";
import { link } from "./api/events";
import { useResource } from "./api/query";
import type { Me, Namespace, Page } from "./api/types";
import { t } from "./i18n";
import { panel } from "./panels";
import { Icon } from "./parts/icons";
import { ctrl } from "./parts/keys";
import { href } from "./router";
import { namespace, signOut, switchNamespace } from "./session";
import { useStore } from "./store";

export function Header({ onMenu, menu }: { onMenu: () => void; menu: boolean }) {
  const current = useStore(namespace);
  const state = useStore(link);
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }), ["namespace"]);
  const names = spaces.data?.items.map(({ name }) => name) ?? [];
  // Erased here or elsewhere: what it was called is not shown any more.
  const known = useRef(new Set<string>());
  useEffect(() => {
    const listed = spaces.data?.items.map(({ name }) => name) ?? [];
    if (listed.includes(current)) known.current.add(current);
    else if (spaces.data && known.current.delete(current)) switchNamespace("default");
  }, [spaces.data, current]);
  // "default" is there before anything is written to it.
  const options = [...new Set(["default", current, ...names])].sort();
  const leave = me.data ? t("sign.out_as", { owner: me.data.owner }) : t("sign.out");
  return (
    <header className="top">
      <button type="button" className="icon-button only-middle" aria-label={t("nav.menu")} aria-expanded={menu} aria-controls="menu" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <a className="brand" href={href("")}>
        <img src="./icon.svg" width="28" height="28" alt="" />
        <span>Commonplace</span>
      </a>
      <div className="spring" />
      <button type="button" className="palette-button" aria-keyshortcuts="Control+K" onClick={() => panel.set("palette")}>
        <Icon name="search" size={16} /> <span className="wide-words">{t("palette.open")}</span> <kbd className="wide-only" aria-hidden="true">{ctrl()} K</kbd>
      </button>
      <button type="button" className="icon-button add-button" aria-label={t("memories.add")} title={t("memories.add")} aria-keyshortcuts="n" onClick={() => panel.set("add")}>
        <Icon name="plus" />
      </button>
      <span className={`link-state ${state}`} role="status" title={t(`link.${state}`)}>
        <span className="dot" aria-hidden="true" />
        <span className="link-words">{t(`link.${state}`)}</span>
      </span>
      <label className="namespace">
        <span className="visually-hidden">{t("namespace")}</span>
        <select value={current} onChange={(event) => switchNamespace(event.target.value)}>
          {options.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="icon-button" aria-label={t("display.title")} title={t("display.title")} onClick={() => panel.set("display")}>
        <Icon name="display" />
      </button>
      <button type="button" className="icon-button" aria-label={leave} title={leave} onClick={signOut}>
        <Icon name="out" />
      </button>
    </header>
  );
}
