import { createElement, useMemo, useState, type ReactNode } from "react";
import { t } from "../i18n";
import { blocks, type Block, type Inline } from "./markdown";
import { cut } from "./plain";
import { Plain } from "./Plain";

const FIRST = 60_000;

/** Markdown of unknown origin, drawn from its tree; headings begin at `level`. */
export function Markdown({ text, level = 2 }: { text: string; level?: number }) {
  const [limit, setLimit] = useState(FIRST);
  const tree = useMemo(() => blocks(cut(text, limit)), [text, limit]);
  return (
    <div className="markdown">
      {tree.map((one, at) => draw(one, at, level))}
      {limit < text.length && (
        <button type="button" className="link" onClick={() => setLimit(limit + FIRST)}>
          {t("text.more", { shown: limit, all: text.length })}
        </button>
      )}
    </div>
  );
}

function draw(block: Block, key: number, level: number): ReactNode {
  switch (block.type) {
    case "heading":
      return createElement(`h${Math.min(6, block.level + level - 1)}`, { key }, spans(block.children));
    case "paragraph":
      return <p key={key}>{spans(block.children)}</p>;
    case "code":
      return (
        <pre key={key} tabIndex={0} aria-label={t("text.code")} role="region">
          <code>
            <Plain text={block.text} />
          </code>
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{block.children.map((one, at) => draw(one, at, level))}</blockquote>;
    case "rule":
      return <hr key={key} />;
    case "table":
      return (
        <div key={key} className="scroll-x" tabIndex={0} role="region" aria-label={t("text.table")}>
          <table>
            <thead>
              <tr>
                {block.head.map((one, at) => (
                  <th key={at} scope="col">
                    {spans(one)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((one, i) => (
                    <td key={i}>{spans(one)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case "list": {
      const items = block.items.map((one, at) => (
        <li key={at} className={one.checked === null ? undefined : "task"}>
          {one.checked !== null && (
            <span className="box" role="img" aria-label={one.checked ? t("text.done") : t("text.open")}>
              {one.checked ? "☑" : "☐"}
            </span>
          )}
          <div>{one.children.map((child, i) => draw(child, i, level))}</div>
        </li>
      ));
      return block.ordered ? (
        <ol key={key} start={block.start}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      );
    }
  }
}

function spans(children: Inline[]): ReactNode {
  return children.map((one, at) => {
    switch (one.type) {
      case "text":
        return <Plain key={at} text={one.text} />;
      case "code":
        return (
          <code key={at}>
            <Plain text={one.text} />
          </code>
        );
      case "break":
        return <br key={at} />;
      case "link":
        return (
          <a key={at} href={one.to} target="_blank" rel="noopener noreferrer nofollow">
            {spans(one.children)}
          </a>
        );
      default:
        return createElement(one.type, { key: at }, spans(one.children));
    }
  });
}
