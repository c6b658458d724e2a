import { useMutation } from "@tanstack/react-query";
import { FileText, Workflow } from "lucide-react";
import type { ToolCall } from "../../flow/agent-chat.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { Failure } from "../../ui/states.tsx";
import { duration } from "../../ui/time.ts";

const WORDS: Record<ToolCall["status"], { word: string; chip: string }> = {
  asks: { word: "Waiting for you", chip: "wait" },
  running: { word: "Running", chip: "run" },
  completed: { word: "Completed", chip: "ok" },
  failed: { word: "Failed", chip: "bad" },
  denied: { word: "Denied", chip: "" },
};

/** One line per call; arguments and result open in place. A call that asks first waits for the answer below it. */
export function ToolCallRow({
  call,
  onDecide,
}: {
  call: ToolCall;
  onDecide: (allow: boolean) => Promise<void>;
}) {
  const decide = useMutation({ mutationFn: onDecide });
  const { word, chip } = WORDS[call.status];
  const input = shownInput(call.input);
  return (
    <div className="stack tight">
      <details className="fold card flat tool-call">
        <summary>
          {call.name === "ask_documents" ? <FileText size={14} /> : <Workflow size={14} />}
          <b>{call.title}</b>
          <span className="muted small ellipsis grow">{summaryOf(input)}</span>
          <span className={`chip dot ${chip}`}>{word}</span>
          {call.endedAt !== null && (
            <span className="muted small nowrap">{duration(call.endedAt - call.calledAt)}</span>
          )}
        </summary>
        <div className="stack">
          <div className="tool-data">
            <div>
              <h3 className="caps">Arguments</h3>
              <JsonView value={input} />
            </div>
            <div>
              <h3 className="caps">Result</h3>
              <JsonView value={call.output} />
            </div>
          </div>
        </div>
      </details>
      {call.status === "asks" && (
        <div className="notice wait tool-question" role="group" aria-label={`Permission for ${call.title}`}>
          <div className="grow">
            <b>Run “{call.title}”?</b>
            <p className="small">This is a real run with the arguments above.</p>
          </div>
          <button
            type="button"
            className="btn"
            disabled={decide.isPending}
            onClick={() => decide.mutate(false)}
          >
            Deny
          </button>
          <button
            type="button"
            className="btn go"
            disabled={decide.isPending}
            onClick={() => decide.mutate(true)}
          >
            Allow once
          </button>
        </div>
      )}
      {decide.error !== null && <Failure error={decide.error} />}
    </div>
  );
}

/** A workflow without input fields takes everything under `input`. */
function shownInput(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const entries = Object.entries(input);
  return entries.length === 1 && entries[0]?.[0] === "input" ? entries[0][1] : input;
}

const SUMMARY_LENGTH = 80;

function summaryOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const text = Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
  return text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)}…` : text;
}
