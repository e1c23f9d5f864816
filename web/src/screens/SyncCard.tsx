import { call } from "../api/client";
import { useResource } from "../api/query";
import type { SyncStatus } from "../api/types";
import { t } from "../i18n";
import { Badge, Card, When } from "../parts/bits";
import { Copy } from "../parts/Copy";
import { Icon } from "../parts/icons";
import { Show } from "../parts/states";
import { href } from "../router";
import { switchNamespace } from "../session";
import { Plain } from "../text/Plain";

const useSync = () => useResource("sync", (signal) => call<SyncStatus>("GET", "/v1/sync", { signal, bare: true }), ["memory", "namespace"]);

/** The machines that this book is in step with; how to begin where there is none. */
export function SyncCard() {
  const sync = useSync();
  return (
    <Card title={t("sync.title")}>
      <Show of={sync} rows={1}>
        {(status) => (
          <div className="stack">
            {status.peers.length ? (
              <Peers status={status} />
            ) : (
              <>
                <p className="muted">{t("sync.none")}</p>
                <Copy text="commonplace sync URL" />
              </>
            )}
            {status.conflicts > 0 && <Conflicts status={status} />}
            {status.private.length > 0 && <p className="small muted">{t("sync.private")} <Plain text={status.private.join(", ")} /></p>}
            {status.sealed > 0 && <p className="small muted">{t("sync.sealed", { n: status.sealed })}</p>}
          </div>
        )}
      </Show>
    </Card>
  );
}

/** On Home: only where there is another machine, in a few words. */
export function SyncNote() {
  const { data } = useSync();
  if (!data?.peers.length) return null;
  return (
    <Card title={t("sync.title")} action={<a href={href("settings")}>{t("sync.more")}</a>}>
      <Peers status={data} />
      {data.conflicts > 0 && <Conflicts status={data} />}
    </Card>
  );
}

/** How many there are, and the way to each namespace where they wait. */
function Conflicts({ status }: { status: SyncStatus }) {
  return (
    <p className="row tight">
      <Icon name="warn" size={18} /> {t("sync.conflicts", { n: status.conflicts })}
      {status.conflicts_in.map((name) => (
        <a key={name} href={href("review")} onClick={() => switchNamespace(name)}><Plain text={name} /></a>
      ))}
    </p>
  );
}

function Peers({ status }: { status: SyncStatus }) {
  return (
    <ul className="lines">
      {status.peers.map((peer) => (
        <li key={peer.address} className="row between">
          <span>
            <strong><Plain text={peer.address} /></strong>
            <span className="muted small block">
              {peer.last_at ? <>{t("sync.last")} <When at={peer.last_at} /></> : t("sync.never")} · {t("sync.counts", { sent: peer.sent, received: peer.received })}
            </span>
          </span>
          <Badge tone={peer.waiting ? "plain" : "accent"}>{peer.waiting ? t("sync.waiting", { n: peer.waiting }) : t("sync.in_step")}</Badge>
        </li>
      ))}
    </ul>
  );
}
