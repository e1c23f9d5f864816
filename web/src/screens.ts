/** The screens of the page, in the order of the menu. */
import type { ComponentType } from "react";
import type { Key } from "./i18n";
import type { IconName } from "./parts/icons";
import { Home } from "./screens/Home";

export interface Screen {
  /** The first part of the address; empty for the start. */
  path: string;
  label: Key;
  icon: IconName;
  load: () => Promise<{ default: ComponentType }>;
}

const from = <N extends string>(load: () => Promise<Record<N, ComponentType>>, name: N) => () => load().then((module) => ({ default: module[name] }));

export const SCREENS: Screen[] = [
  { path: "", label: "nav.home", icon: "home", load: () => Promise.resolve({ default: Home }) },
  { path: "memories", label: "nav.memories", icon: "book", load: from(() => import("./screens/Memories"), "Memories") },
  { path: "review", label: "nav.review", icon: "review", load: from(() => import("./screens/Review"), "Review") },
  { path: "agenda", label: "nav.agenda", icon: "calendar", load: from(() => import("./screens/Agenda"), "Agenda") },
  { path: "me", label: "nav.me", icon: "person", load: from(() => import("./screens/AboutMe"), "AboutMe") },
  { path: "graph", label: "nav.graph", icon: "graph", load: from(() => import("./screens/Graph"), "Graph") },
  { path: "timeline", label: "nav.timeline", icon: "timeline", load: from(() => import("./screens/Timeline"), "Timeline") },
  { path: "agent", label: "nav.agent", icon: "spark", load: from(() => import("./screens/AgentView"), "AgentView") },
  { path: "directives", label: "nav.directives", icon: "goal", load: from(() => import("./screens/Directives"), "Directives") },
  { path: "notebook", label: "nav.notebook", icon: "notes", load: from(() => import("./screens/Notebook"), "Notebook") },
  { path: "shared", label: "nav.shared", icon: "people", load: from(() => import("./screens/Shared"), "Shared") },
  { path: "maintenance", label: "nav.maintenance", icon: "tools", load: from(() => import("./screens/Maintenance"), "Maintenance") },
  { path: "settings", label: "nav.settings", icon: "sliders", load: from(() => import("./screens/Settings"), "Settings") },
];
