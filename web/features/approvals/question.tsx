import { Clock } from "lucide-react";
import type { OnTimeout } from "../../../contract/approvals.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { dateTime, until } from "../../ui/time.ts";
import "./approvals.css";

interface QuestionProps {
  title: string;
  message: string;
  context?: unknown;
  dueAt?: string | null | undefined;
  onTimeout?: OnTimeout | undefined;
}

const AT_DUE_TIME: Readonly<Record<OnTimeout, string>> = {
  approve: "Approves",
  reject: "Rejects",
  fail: "Fails the step",
};

/** What a person reads before deciding: the question, when it is due, and the data of the workflow's author. */
export function Question({ title, message, context, dueAt, onTimeout }: QuestionProps) {
  return (
    <>
      <div className="row wrap">
        <span className="caps grow">{title}</span>
        {dueAt !== undefined && dueAt !== null && (
          <span className="chip wait" title={dateTime(dueAt)}>
            <Clock size={12} /> Due {until(dueAt)}
          </span>
        )}
      </div>
      <div className="approval-question">
        <FormattedText text={message} />
      </div>
      {context !== undefined && <ContextData value={context} />}
      {dueAt !== undefined && dueAt !== null && onTimeout !== undefined && (
        <p className="small muted">
          {AT_DUE_TIME[onTimeout]} automatically on {dateTime(dueAt)}.
        </p>
      )}
    </>
  );
}

/** An object as rows of names and values; anything deeper as a tree. */
function ContextData({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return <Value value={value} />;
  return (
    <dl className="context-data">
      {Object.entries(value).map(([name, each]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value value={each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value === "object" && value !== null) return <JsonView value={value} />;
  return <span className="context-text">{value === null ? "–" : String(value)}</span>;
}
