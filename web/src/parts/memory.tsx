import { call } from "../api/client";
import { useResource } from "../api/query";
import type { EvidenceQuote, Me, Memory } from "../api/types";
import { t, word } from "../i18n";
import { href } from "../router";
import { namespace } from "../session";
import { useStore } from "../store";
import { Long, Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { Badge, Status, When } from "./bits";
import { agentName } from "./hosts";
import { Icon } from "./icons";

/** Whether a memory is in a shared namespace, which is an owner of its own. */
export const isShared = ({ owner }: Memory): boolean => owner.startsWith("shared-");

/** The address of a memory; one of a shared namespace opens there. */
export const memoryHref = (memory: Memory): string => href(["memories", memory.id], isShared(memory) ? { in: memory.namespace } : {});

/** One line about a memory, leading to it. */
export function MemoryLink({ memory, words }: { memory: Memory; words?: readonly string[] }) {
  const text = cut(memory.text, 300);
  return (
    <a className="memory-link" href={memoryHref(memory)}>
      <span className="memory-text clamp">
        {memory.key && (
          <span className="key">
            <Plain text={memory.key} />{" "}
          </span>
        )}
        {words ? <Plain text={text} words={words} /> : <Plain text={text} />}
      </span>
      <Facts memory={memory} />
    </a>
  );
}

/** What is known about a memory, on one line: who said it, when, and how sure it is. */
export function Facts({ memory, namespaces = false }: { memory: Memory; namespaces?: boolean }) {
  const here = useStore(namespace);
  const [category, kind] = [word("category", memory.category), word("kind", memory.kind)];
  return (
    <span className="facts">
      {memory.pinned && <Icon name="pin" size={14} />}
      {memory.author && <strong><Author person={memory.author} /></strong>}
      {memory.turn?.speaker && memory.turn.speaker !== memory.author && <strong><Plain text={cut(memory.turn.speaker, 40)} /></strong>}
      {memory.kind !== "episodic" && memory.source === "user" && namespaces && !memory.author && <strong>{t("actor.you")}</strong>}
      {memory.kind !== "episodic" && memory.source !== "user" && <strong><Writer memory={memory} /></strong>}
      {memory.kind !== "episodic" && <span>{category}</span>}
      {memory.kind !== "associative" && kind !== category && <span>{kind}</span>}
      {(namespaces || memory.namespace !== here) && <span><Plain text={memory.namespace} /></span>}
      <When at={memory.turn?.said_at ?? memory.recorded_at} />
      {memory.status !== "verified" && <Status value={memory.status} />}
      {memory.tags.slice(0, 3).map((tag) => (
        <Badge key={tag}>
          <Plain text={cut(tag, 40)} />
        </Badge>
      ))}
    </span>
  );
}

/** What wrote a memory that no person wrote: the agent by its name, or the kind of source. */
export const Writer = ({ memory: { agent, source } }: { memory: Memory }) => (agent ? <Plain text={cut(agentName(agent), 40)} /> : word("source", source));

/** Who wrote a memory of a shared namespace. */
export function Author({ person }: { person: string }) {
  const me = useResource("me", (signal) => call<Me>("GET", "/v1/me", { signal }));
  return person === me.data?.owner ? t("actor.you") : <Plain text={cut(person, 40)} />;
}

/** What was said, word for word, by whom and when. */
export function Quotes({ evidence }: { evidence: readonly EvidenceQuote[] }) {
  if (!evidence.length) return <p className="muted small">{t("evidence.none")}</p>;
  return (
    <ul className="quotes">
      {evidence.map(({ episode, quote }, at) => (
        <li key={`${episode.id}-${at}`}>
          <figure>
            <blockquote className="quote memory-text">
              <Evidence text={episode.text} quote={quote} />
            </blockquote>
            <figcaption className="muted small">
              {episode.turn?.speaker && (
                <>
                  <Plain text={episode.turn.speaker} />
                  {" · "}
                </>
              )}
              <a href={href(["memories", episode.id])}>
                <When at={episode.turn?.said_at ?? episode.recorded_at} exact />
              </a>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

/** The whole message, with the words that count as evidence marked. */
function Evidence({ text, quote }: { text: string; quote: string | null }) {
  const at = quote ? text.indexOf(quote) : -1;
  if (!quote || at < 0 || text.length > 600) return <Long text={quote ?? text} first={600} />;
  return (
    <>
      <Plain text={text.slice(0, at)} />
      <mark><Plain text={quote} /></mark>
      <Plain text={text.slice(at + quote.length)} />
    </>
  );
}
