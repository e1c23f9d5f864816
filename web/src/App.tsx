import { Component, lazy, Suspense, useCallback, useEffect, useRef, useState, type ComponentType, type ReactNode } from "react";
import { call, Unreachable } from "./api/client";
import { follow, link } from "./api/events";
import { clearShelf, useResource } from "./api/resource";
import type { Me, Namespace, Page } from "./api/types";
import { DisplayDialog } from "./parts/DisplayDialog";
import { Questions } from "./parts/dialog";
import { Icon, type IconName } from "./parts/icons";
import { Notices } from "./parts/notices";
import { Failed, Skeleton } from "./parts/states";
import { spoken, t, type Key } from "./i18n";
import { href, parse, usePlace } from "./router";
import { Home } from "./screens/Home";
import { SignIn } from "./screens/SignIn";
import { namespace, signOut, switchNamespace, token } from "./session";
import { useStore } from "./store";

interface Room {
  path: string;
  label: Key;
  icon: IconName;
  screen: ComponentType;
}

const later = new Map<string, () => Promise<unknown>>();

const named = <N extends string>(path: string, load: () => Promise<Record<N, ComponentType>>, name: N) => {
  later.set(path, load);
  return lazy(() => load().then((found) => ({ default: found[name] })));
};

/** Begin to fetch the room that the address names, before there is anything to draw it with. */
export function fetchRoom(): void {
  const wanted = parse(location.hash).path[0] ?? "";
  void later.get(wanted)?.().catch(() => undefined); // drawing it says what is wrong
}

/** Once the first screen stands, fetch the others, so that they open at once and without a connection. */
function fetchAhead(): void {
  for (const [path, load] of later) {
    later.delete(path);
    void load().then(fetchAhead, () => undefined);
    return;
  }
}

const ROOMS: Room[] = [
  { path: "", label: "nav.home", icon: "home", screen: Home },
  { path: "memories", label: "nav.memories", icon: "book", screen: named("memories", () => import("./screens/Memories"), "Memories") },
  { path: "review", label: "nav.review", icon: "review", screen: named("review", () => import("./screens/Review"), "Review") },
  { path: "settings", label: "nav.settings", icon: "person", screen: named("settings", () => import("./screens/Settings"), "Settings") },
  { path: "graph", label: "nav.graph", icon: "graph", screen: named("graph", () => import("./screens/Graph"), "Graph") },
  { path: "timeline", label: "nav.timeline", icon: "timeline", screen: named("timeline", () => import("./screens/Timeline"), "Timeline") },
  { path: "directives", label: "nav.directives", icon: "goal", screen: named("directives", () => import("./screens/Directives"), "Directives") },
  { path: "notebook", label: "nav.notebook", icon: "notes", screen: named("notebook", () => import("./screens/Notebook"), "Notebook") },
  { path: "maintenance", label: "nav.maintenance", icon: "tools", screen: named("maintenance", () => import("./screens/Maintenance"), "Maintenance") },
];

/** How many rooms stand in the bar of a narrow screen; the others are behind its menu. */
const IN_BAR = 4;

export function App() {
  useEffect(() => {
    const timer = setTimeout(fetchAhead, 1500);
    return () => clearTimeout(timer);
  }, []);
  useStore(spoken); // everything below is drawn again in the new language
  const secret = useStore(token);
  useEffect(() => {
    if (!secret) return clearShelf();
    return follow();
  }, [secret]);
  return (
    <>
      {secret ? <Shell /> : <SignIn />}
      <Notices />
      <Questions />
    </>
  );
}

function Shell() {
  const { path } = usePlace();
  const room = ROOMS.find((one) => one.path === (path[0] ?? "")) ?? ROOMS[0]!;
  const main = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState(false);
  const first = useRef(true);
  useEffect(() => {
    document.title = `${t(room.label)} · Commonplace`;
    setMenu(false);
    main.current?.scrollTo(0, 0);
  }, [room]);
  const arrive = useCallback(() => {
    if (!first.current) main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    first.current = false;
  }, []);
  const Screen = room.screen;
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>
        {t("skip")}
      </a>
      <Header onMenu={() => setMenu(!menu)} menu={menu} />
      <nav className={`rooms${menu ? " open" : ""}`} aria-label={t("nav.label")} id="rooms">
        <ul>
          {ROOMS.map((one, at) => (
            <li key={one.path} className={at >= IN_BAR ? "beyond" : undefined}>
              <a href={href(one.path)} aria-current={one === room ? "page" : undefined} onClick={() => setMenu(false)}>
                <Icon name={one.icon} />
                <span>{t(one.label)}</span>
              </a>
            </li>
          ))}
          <li className="menu-entry">
            <button type="button" aria-expanded={menu} aria-controls="rooms" onClick={() => setMenu(!menu)}>
              <Icon name="more" />
              <span>{t("nav.more")}</span>
            </button>
          </li>
        </ul>
      </nav>
      <main ref={main} id="main" tabIndex={-1} key={room.path}>
        <Boundary>
          <Suspense fallback={<div className="screen"><Skeleton rows={4} height={88} /></div>}>
            <Screen />
            <Arrived then={arrive} />
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}

/** Stands after a room that may still have to be fetched, and tells when it is there. */
function Arrived({ then }: { then: () => void }) {
  useEffect(then, [then]);
  return null;
}

function Header({ onMenu, menu }: { onMenu: () => void; menu: boolean }) {
  const current = useStore(namespace);
  const state = useStore(link);
  const [display, setDisplay] = useState(false);
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  const spaces = useResource("namespaces", (signal) => call<Page<Namespace>>("GET", "/v1/namespaces", { signal, bare: true }), ["namespace"]);
  const names = spaces.data?.items.map((one) => one.name) ?? [];
  const all = names.includes(current) ? names : [current, ...names];
  return (
    <header className="top">
      <button type="button" className="icon-button only-middle" aria-label={t("nav.menu")} aria-expanded={menu} aria-controls="rooms" onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <a className="brand" href={href("")}>
        <img src="./icon.svg" width="28" height="28" alt="" />
        <span>Commonplace</span>
      </a>
      <div className="spring" />
      <span className={`link-state ${state}`} role="status">
        <span className="dot" aria-hidden="true" />
        <span className="link-words">{t(`link.${state}`)}</span>
      </span>
      <label className="namespace">
        <span className="visually-hidden">{t("namespace")}</span>
        <select value={current} onChange={(event) => switchNamespace(event.target.value)}>
          {all.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="icon-button" aria-label={t("display.title")} title={t("display.title")} onClick={() => setDisplay(true)}>
        <Icon name="display" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={me.data ? t("sign.out_as", { owner: me.data.owner }) : t("sign.out")}
        title={me.data ? t("sign.out_as", { owner: me.data.owner }) : t("sign.out")}
        onClick={signOut}
      >
        <Icon name="out" />
      </button>
      {display && <DisplayDialog onClose={() => setDisplay(false)} />}
    </header>
  );
}

/** A screen that fails to load or draw must not take the page with it. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    // A part of the page that could not be fetched is not asked for again by itself: begin anew.
    if (error instanceof TypeError && /module/i.test(error.message)) return <Failed error={new Unreachable()} retry={() => location.reload()} />;
    if (error) return <Failed error={error} retry={() => this.setState({ error: null })} />;
    return this.props.children;
  }
}
