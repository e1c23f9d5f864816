import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect, RouterProvider, useLocation, type ErrorComponentProps } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Unreachable } from "./api/client";
import { follow, link } from "./api/events";
import { queryClient } from "./api/query";
import { Header } from "./Header";
import { language, t } from "./i18n";
import { history } from "./navigation";
import { Navigation } from "./Navigation";
import { Questions } from "./parts/dialog";
import { Icon } from "./parts/icons";
import { loadParts } from "./parts/later";
import { Notices } from "./parts/notices";
import { Failed, Skeleton } from "./parts/states";
import { parseSearch, search, type Params } from "./router";
import { SCREENS } from "./screens";
import { SignIn } from "./screens/SignIn";
import { session } from "./session";
import { Shortcuts } from "./Shortcuts";
import { useStore } from "./store";

const root = createRootRoute({ component: Shell, errorComponent: Broken, notFoundComponent: () => null });
const routes = SCREENS.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path: path === "notebook" ? "/notebook/$" : path ? `/${path}/{-$id}` : "/", // names of notebook files may have slashes
    component: lazyRouteComponent(() => load().catch(() => Promise.reject(new Unreachable()))),
    pendingComponent: Pending,
    errorComponent: Broken,
  }),
);
// What has no screen leads to the start.
const unknown = createRoute({ getParentRoute: () => root, path: "$", beforeLoad: () => { throw redirect({ href: "/" }); } });

const router = createRouter({
  routeTree: root.addChildren([...routes, unknown]),
  history,
  parseSearch,
  stringifySearch: (query) => {
    const text = search(query as Params);
    return text ? `?${text}` : "";
  },
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
});

/** Once the first screen is there, load the others, so that they open at once and without a connection. */
async function loadAhead(): Promise<void> {
  try {
    await loadParts();
    for (const { load } of SCREENS) await load();
  } catch {
    // Opening the screen shows what is wrong.
  }
}

export function App() {
  const words = useStore(language);
  const current = useStore(session);
  const signedIn = Boolean(current);
  useEffect(() => {
    const timer = setTimeout(() => void loadAhead(), 1500);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!signedIn) return queryClient.clear();
    return follow();
  }, [signedIn]);
  if (current === undefined) return <Pending />;
  return (
    <QueryClientProvider client={queryClient}>
      {signedIn ? <RouterProvider key={words} router={router} /> : <SignIn />}
      <Notices />
      <Questions />
    </QueryClientProvider>
  );
}

function Pending() {
  return (
    <div className="screen">
      <Skeleton rows={4} height={88} />
    </div>
  );
}

/** A screen that fails to load or draw does not take the page with it. */
function Broken({ error, reset }: ErrorComponentProps) {
  // A part of the page that could not be fetched is not asked for again: start over.
  return <Failed error={error} retry={error instanceof Unreachable ? () => location.reload() : reset} />;
}

/** Above every screen while the server cannot be reached: what is shown may be old, and nothing can be saved. */
function OfflineBanner() {
  const state = useStore(link);
  if (state !== "offline") return null;
  return (
    <p className="offline-banner" role="status">
      <Icon name="offline" size={18} /> {t("link.offline_what")}
    </p>
  );
}

function Shell() {
  const path = useLocation({ select: (location) => location.pathname.split("/")[1] ?? "" });
  const screen = SCREENS.find((candidate) => candidate.path === path) ?? SCREENS[0]!;
  const main = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState(false);
  const first = useRef(true);
  useEffect(() => {
    setMenu(false);
    if (first.current) {
      first.current = false;
      return;
    }
    main.current?.scrollTo(0, 0);
    // The heading of a screen that is still being loaded comes a little later.
    const focus = () => main.current?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    const timer = setTimeout(focus, 100);
    return () => clearTimeout(timer);
  }, [screen]);
  useEffect(() => {
    document.title = `${t(screen.label)} · Commonplace`;
  });
  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>
        {t("skip")}
      </a>
      <Header onMenu={() => setMenu(!menu)} menu={menu} />
      <Navigation current={screen} open={menu} setOpen={setMenu} />
      <main ref={main} id="main" tabIndex={-1}>
        <OfflineBanner />
        <Outlet />
      </main>
      <Shortcuts />
    </div>
  );
}
