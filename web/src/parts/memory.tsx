import type { Memory, Proof } from "../api/types";
import { t, word } from "../i18n";
import { href } from "../router";
import { Long, Plain } from "../text/Plain";
import { cut } from "../text/plain";
import { Badge, Status, When } from "./bits";
import { Icon } from "./icons";

/** One line about a memory, leading to it. */
export function MemoryLink({ memory, words }: { memory: Memory; words?: readonly string[] }) {
  const text = cut(memory.text, 300);
  return (
    <a className="memory-link" href={href(["memories", memory.id])}>
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

export function Facts({ memory }: { memory: Memory }) {
  return (
    <span className="facts">
      {memory.pinned && <Icon name="pin" size={14} />}
      <span>{word("category", memory.category)}</span>
      {memory.kind !== "associative" && <span>{word("kind", memory.kind)}</span>}
      <When at={memory.turn?.said_at ?? memory.recorded_at} />
      {memory.status !== "verified" && <Status value={memory.status} />}
      {memory.tags.slice(0, 3).map((one) => (
        <Badge key={one}>
          <Plain text={cut(one, 40)} />
        </Badge>
      ))}
    </span>
  );
}

/** What was said, word for word, by whom and when. */
export function Quotes({ evidence }: { evidence: readonly Proof[] }) {
  if (!evidence.length) return <p className="muted small">{t("evidence.none")}</p>;
  return (
    <ul className="quotes">
      {evidence.map((one, at) => (
        <li key={`${one.episode.id}-${at}`}>
          <figure>
            <blockquote className="quote memory-text">
              <Long text={one.quote ?? one.episode.text} first={600} />
            </blockquote>
            <figcaption className="muted small">
              {one.episode.turn?.speaker && (
                <>
                  <Plain text={one.episode.turn.speaker} />
                  {" · "}
                </>
              )}
              <a href={href(["memories", one.episode.id])}>
                <When at={one.episode.turn?.said_at ?? one.episode.recorded_at} exact />
              </a>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
