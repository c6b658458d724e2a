import type { TaskStreamEvent as JournalEvent } from "../../../contract/task-events.ts";
import { useJournal } from "../../api/tasks.ts";
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

/** Lines after the last loaded event belong to a page that is not loaded yet. */
function withLogLines(
  events: readonly JournalEvent[],
  { steps }: RunProgress,
  hasMore: boolean,
): readonly JournalEvent[] {
  const lastAt = hasMore ? (events.at(-1)?.at ?? "") : undefined;
  const lines = [...steps.values()].flatMap(({ stepId, type, logs = [] }) =>
    logs.map((line): JournalEvent => ({ event: "step_log", stepId, type, ...line })),
  );
  if (lines.length === 0) return events;
  const shown = lines.filter(({ at }) => lastAt === undefined || (at ?? "") <= lastAt);
  return [...events, ...shown].toSorted((a, b) => timeOf(a) - timeOf(b));
}

function timeOf({ at }: JournalEvent): number {
  return at === undefined ? 0 : Date.parse(at);
}

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
              {withLogLines(list, progress, events.hasMore).map((event, index) => (
                <tr key={"seq" in event ? event.seq : `line ${index}`}>
                  <td className="muted nowrap">
                    <time dateTime={event.at} title={dateTime(event.at ?? null)}>
                      {event.at === undefined ? "" : clockTime(event.at)}
                    </time>
                  </td>
                  <td className="breakable">
                    {"message" in event ? event.message : (WORDS[event.event] ?? event.event)}
                  </td>
                  <td>
                    <code>{"stepId" in event ? event.stepId : ""}</code>
                  </td>
                  <td>
                    {"status" in event ? (
                      <StatusChip status={event.status} />
                    ) : (
                      <span className="muted">{event.level}</span>
                    )}
                  </td>
                  <td className="wide-only muted breakable">
                    {"error" in event ? event.error?.message : ""}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </RecordList>
    </section>
  );
}
