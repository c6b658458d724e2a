import type { ReactNode } from "react";
import "./styles/prose.css";

/** The only inline Markdown: `**bold**`, `*italic*` and `` `code` ``. */
const MARKS = /\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|`([^`]+)`/g;

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(MARKS)) {
    parts.push(text.slice(last, match.index));
    const [whole, bold, italic, code] = match;
    if (bold !== undefined) parts.push(<b key={match.index}>{bold}</b>);
    else if (italic !== undefined) parts.push(<em key={match.index}>{italic}</em>);
    else parts.push(<code key={match.index}>{code}</code>);
    last = match.index + whole.length;
  }
  parts.push(text.slice(last));
  return parts;
}

/** Renders untrusted text of models and external agents: paragraphs, lists and emphasis, never HTML, links or images. */
export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/);
  return (
    <div className="prose">
      {blocks.map((block, index) => {
        const lines = block.split("\n");
        if (lines.every((line) => /^\s*[-*] /.test(line)))
          return (
            <ul key={index}>
              {lines.map((line, row) => (
                <li key={row}>{inline(line.replace(/^\s*[-*] /, ""))}</li>
              ))}
            </ul>
          );
        const heading = /^#{1,6} (.*)$/.exec(block);
        if (heading !== null) return <b key={index}>{inline(heading[1] ?? "")}</b>;
        return (
          <p key={index} style={{ whiteSpace: "pre-wrap" }}>
            {inline(block)}
          </p>
        );
      })}
    </div>
  );
}
