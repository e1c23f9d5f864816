import { useWaiting } from "./api/waiting";
import { number } from "./format";
import { t } from "./i18n";
import { Icon } from "./parts/icons";
import { href } from "./router";
import { SCREENS, type Screen } from "./screens";

/** How many screens fit into the bar of a narrow screen; the others are behind "More". */
const IN_BAR = 4;

export function Navigation({ current, open, setOpen }: { current: Screen; open: boolean; setOpen: (open: boolean) => void }) {
  return (
    <nav className={`menu${open ? " open" : ""}`} aria-label={t("nav.label")} id="menu">
      <ul>
        {SCREENS.map((screen, at) => (
          <li key={screen.path} className={at >= IN_BAR ? "beyond" : undefined}>
            <a href={href(screen.path)} aria-current={screen === current ? "page" : undefined} onClick={() => setOpen(false)} onMouseEnter={() => void screen.load().catch(() => undefined)}>
              <Icon name={screen.icon} />
              <span className="menu-label">{t(screen.label)}</span>
              {screen.path === "review" && <ReviewBadge />}
            </a>
          </li>
        ))}
        <li className="menu-entry">
          <button type="button" aria-expanded={open} aria-controls="menu" onClick={() => setOpen(!open)}>
            <Icon name="more" />
            <span className="menu-label">{t("nav.more")}</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}

function ReviewBadge() {
  const waiting = useWaiting();
  const count = waiting.data?.total ?? 0;
  if (!count) return null;
  return (
    <span className="count" aria-label={t("review.badge", { n: count })}>
      {number(count)}
    </span>
  );
}
