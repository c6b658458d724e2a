import { Link } from "wouter";
import type { ToolCall } from "../../../contract/tasks.ts";
import { toolTitle } from "../../flow/room-log.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { StatusChip } from "../../ui/status.tsx";

/** What an agent has called, oldest first. */
export function ToolCallList({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <section className="stack tight" aria-label="Tool calls">
      {calls.map((call, index) => (
        <details key={index} className="card flat fold attempt">
          <summary className="small">
            <b className="grow ellipsis">{toolTitle(call.name)}</b>
            <StatusChip status={call.failed ? "failed" : "completed"} />
          </summary>
          <div className="stack tight">
            {call.taskId !== undefined && <Link href={`/runs/${call.taskId}`}>Open the run</Link>}
            <b className="xs">{call.failed ? "Error" : "Output"}</b>
            <JsonView value={call.output} />
            <b className="xs">Input</b>
            <JsonView value={call.input} />
          </div>
        </details>
      ))}
    </section>
  );
}
