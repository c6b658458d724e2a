import { ArrowRight } from "lucide-react";
import { useMemo } from "react";
import type { N8nRewrite } from "../../../contract/n8n-import.ts";
import { diffLines } from "../../flow/text-diff.ts";

/** The code of the node before and after, with the lines that differ. */
export function CodeDiff({ code: { before, after } }: { code: N8nRewrite }) {
  const rows = useMemo(() => diffLines(before, after, (line) => line.trim()), [before, after]);
  return (
    <>
      <Code
        title="Code in n8n"
        lines={rows.flatMap(({ kind, left }) =>
          left === undefined ? [] : [{ text: left.text, isChanged: kind === "changed" }],
        )}
        tone="removed"
      />
      <Code
        title="Code in Baton"
        lines={rows.flatMap(({ kind, right }) =>
          right === undefined ? [] : [{ text: right.text, isChanged: kind === "changed" }],
        )}
        tone="added"
      />
    </>
  );
}

interface CodeProps {
  title: string;
  lines: readonly { text: string; isChanged: boolean }[];
  tone: "added" | "removed";
}

function Code({ title, lines, tone }: CodeProps) {
  const Changed = tone === "added" ? "ins" : "del";
  return (
    <section className="stack tight" aria-label={title}>
      <h3>{title}</h3>
      {/* It scrolls, so the keyboard must reach it. */}
      <pre className="code n8n-code" tabIndex={0}>
        {lines.map(({ text, isChanged }, index) =>
          isChanged ? <Changed key={index}>{text}</Changed> : <span key={index}>{text}</span>,
        )}
      </pre>
    </section>
  );
}

/** The expressions of a node before and after. */
export function ExpressionList({ expressions }: { expressions: readonly N8nRewrite[] }) {
  return (
    <section className="stack tight" aria-label="Expressions">
      <h3>Expressions</h3>
      <ul className="plain-list card flat n8n-expressions">
        {expressions.map(({ field, before, after, result, note }, index) => (
          <li key={index}>
            <span className="xs muted mono breakable">{field}</span>
            <span className="n8n-rewrite">
              <code className="breakable">{before}</code>
              <ArrowRight size={13} aria-label="becomes" />
              {after === "" ? (
                <span className="small">stays as text</span>
              ) : (
                <code className="ph">{after}</code>
              )}
            </span>
            {result !== "ready" && note !== undefined && <span className="xs n8n-warning">{note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
