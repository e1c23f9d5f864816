import type { Nodes, Table } from "mdast";
import { createElement, useMemo, useState, type ReactNode } from "react";
import { t } from "../i18n";
import { parse, safeLink } from "./markdown";
import { cut } from "./plain";
import { Plain } from "./Plain";

const FIRST = 60_000;
const DEEPEST = 40;

/** Markdown of unknown origin, drawn from its tree; headings begin at `level`. */
export function Markdown({ text, level = 2 }: { text: string; level?: number }) {
  const [limit, setLimit] = useState(FIRST);
  const tree = useMemo(() => parse(cut(text, limit)), [text, limit]);
  return (
    <div className="markdown">
      {draw(tree.children, level)}
      {limit < text.length && (
        <button type="button" className="link" onClick={() => setLimit(limit + FIRST)}>
          {t("text.more", { shown: limit, all: text.length })}
        </button>
      )}
    </div>
  );
}

const draw = (nodes: readonly Nodes[], level: number, depth = 0): ReactNode => (depth > DEEPEST ? "…" : nodes.map((node, at) => <Node key={at} node={node} level={level} depth={depth + 1} />));

/** Only what is listed here is drawn as what it is; everything else as its text. */
function Node({ node, level, depth }: { node: Nodes; level: number; depth: number }): ReactNode {
  const children = () => ("children" in node ? draw(node.children, level, depth) : null);
  switch (node.type) {
    case "text":
    case "html":
      return <Plain text={node.value} />;
    case "heading":
      return createElement(`h${Math.min(6, node.depth + level - 1)}`, {}, children());
    case "paragraph":
      return <p>{children()}</p>;
    case "emphasis":
      return <em>{children()}</em>;
    case "strong":
      return <strong>{children()}</strong>;
    case "delete":
      return <del>{children()}</del>;
    case "inlineCode":
      return <code><Plain text={node.value} /></code>;
    case "code":
      return (
        <pre tabIndex={0} aria-label={t("text.code")} role="region">
          <code><Plain text={node.value} /></code>
        </pre>
      );
    case "blockquote":
      return <blockquote>{children()}</blockquote>;
    case "thematicBreak":
      return <hr />;
    case "break":
      return <br />;
    case "image":
    case "imageReference":
      return <Plain text={node.alt ?? ""} />;
    case "link": {
      const address = safeLink(node.url);
      return address ? <a href={address} target="_blank" rel="noopener noreferrer nofollow">{children()}</a> : children();
    }
    case "list":
      return node.ordered ? <ol start={node.start ?? 1}>{children()}</ol> : <ul>{children()}</ul>;
    case "listItem": {
      const task = typeof node.checked === "boolean";
      return (
        <li className={task ? "task" : undefined}>
          {task && <span className="box" role="img" aria-label={node.checked ? t("text.done") : t("text.open")}>{node.checked ? "☑" : "☐"}</span>}
          <div>{children()}</div>
        </li>
      );
    }
    case "table":
      return <DrawnTable table={node} level={level} depth={depth} />;
    case "definition":
      return null;
    default:
      return children();
  }
}

function DrawnTable({ table, level, depth }: { table: Table; level: number; depth: number }) {
  const [head, ...rows] = table.children;
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t("text.table")}>
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, at) => (
              <th key={at} scope="col">{draw(cell.children, level, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.children.map((cell, place) => (
                <td key={place}>{draw(cell.children, level, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
