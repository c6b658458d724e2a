import { Link } from "wouter";
import type { ToolLine as Line } from "../../flow/room-log.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { StatusChip } from "../../ui/status.tsx";

/** A tool call as a sentence with its status; the raw data opens in place. */
export function ToolLine({ line, sender }: { line: Line; sender: string }) {
  return (
    <details className="room-tool" data-seq={line.seq}>
      <summary>
        <span className="grow">
          <b>{sender}</b> · {line.sentence} <StatusChip status={line.status} />
          {line.summary !== "" && <span className="muted"> {line.summary}</span>}
        </span>
      </summary>
      <div className="stack tight">
        <h3 className="caps">Arguments</h3>
        <JsonView value={line.input} />
        <h3 className="caps">Result</h3>
        <JsonView value={line.output} />
        {line.taskId !== undefined && <Link href={`/runs/${line.taskId}`}>Open the run</Link>}
      </div>
    </details>
  );
}
