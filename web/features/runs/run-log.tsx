import type { TaskStreamEvent } from "../../../contract/task-events.ts";
import { useJournal } from "../../api/tasks.ts";
import { logRows, type StepLine } from "../../flow/run-log.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { Empty } from "../../ui/states.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { clockTime, dateTime } from "../../ui/time.ts";

const WORDS: Record<string, string> = {
  step: "Step ended",
  attempt: "Attempt failed",
  wait: "Step waits",
  items: "Loop started",
  rerun: "Failed steps cleared for a rerun",
  task: "Run ended",
};

interface RunLogProps {
  taskId: string;
  progress: RunProgress;
  isLive: boolean;
}

/** Every recorded event of the run with the log lines of its steps, oldest first. */
export function RunLog({ taskId, progress, isLive }: RunLogProps) {
  const events = useJournal(taskId, isLive);
  return (
    <section className="run-log" aria-label="Log">
      <RecordList list={events} empty={<Empty title="No events yet">Events appear as steps end.</Empty>}>
        {(list) => (
          <table className="table">
            <thead>
              <tr>
                <th>Time</th>
                <th>Event</th>
                <th>Step</th>
                <th>Status</th>
                <th className="wide-only">Detail</th>
              </tr>
            </thead>
            <tbody>
              {logRows(list, progress, events.hasMore).map((row) => (
                <tr key={row.key}>
                  <td className="muted nowrap">
                    <time dateTime={row.at} title={dateTime(row.at)}>
                      {row.at === "" ? "" : clockTime(row.at)}
                    </time>
                  </td>
                  {row.line === undefined ? <EventCells event={row.event} /> : <LineCells line={row.line} />}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </RecordList>
    </section>
  );
}

function EventCells({ event }: { event: TaskStreamEvent }) {
  return (
    <>
      <td className="breakable">{WORDS[event.event] ?? event.event}</td>
      <td>
        <code>{"stepId" in event ? event.stepId : ""}</code>
      </td>
      <td>{"status" in event && <StatusChip status={event.status} />}</td>
      <td className="wide-only muted breakable">{"error" in event ? event.error?.message : ""}</td>
    </>
  );
}

function LineCells({ line: { message, stepId, level, attempt } }: { line: StepLine }) {
  return (
    <>
      <td className="breakable run-log-line">{message}</td>
      <td>
        <code>{stepId}</code>
      </td>
      <td className="muted">{level}</td>
      <td className="wide-only muted">{attempt === undefined ? "" : `Attempt ${attempt}`}</td>
    </>
  );
}
