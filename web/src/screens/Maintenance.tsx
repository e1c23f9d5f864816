import type { ComponentType } from "react";
import { t, type Key } from "../i18n";
import { Screen } from "../parts/bits";
import { useRouteId } from "../navigation";
import { href } from "../router";
import { Audit } from "./maintenance/Audit";
import { Data } from "./maintenance/Data";
import { Glossary } from "./maintenance/Glossary";
import { Jobs } from "./maintenance/Jobs";
import { Namespaces } from "./maintenance/Namespaces";
import { Tidy } from "./maintenance/Tidy";
import { Tokens } from "./maintenance/Tokens";
import { Usage } from "./maintenance/Usage";

const SECTIONS: { path: string; label: Key; part: ComponentType }[] = [
  { path: "jobs", label: "jobs.title", part: Jobs },
  { path: "tidy", label: "tidy.title", part: Tidy },
  { path: "usage", label: "usage.title", part: Usage },
  { path: "audit", label: "audit.title", part: Audit },
  { path: "data", label: "data.title", part: Data },
  { path: "tokens", label: "tokens.title", part: Tokens },
  { path: "namespaces", label: "namespaces.title", part: Namespaces },
  { path: "glossary", label: "glossary.title", part: Glossary },
];

/** On a narrow screen the tabs scroll: the current one is visible. */
const intoView = (link: HTMLElement | null): void => link?.scrollIntoView({ block: "nearest", inline: "nearest" });

export function Maintenance() {
  const section = useRouteId();
  const here = SECTIONS.find((one) => one.path === section) ?? SECTIONS[0]!;
  const Section = here.part;
  return (
    <Screen title={t("nav.maintenance")}>
      <nav className="tabs" aria-label={t("maintenance.sections")}>
        <ul>
          {SECTIONS.map((one) => (
            <li key={one.path}>
              <a ref={one === here ? intoView : undefined} href={href(["maintenance", one.path])} aria-current={one === here ? "page" : undefined}>{t(one.label)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Section key={here.path} />
    </Screen>
  );
}
