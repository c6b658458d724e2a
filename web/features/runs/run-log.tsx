import { useJournal } from "../../api/tasks.ts";
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

/** Every recorded event of the run, oldest first. */
export function RunLog({ taskId, isLive }: { taskId: string; isLive: boolean }) {
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
              {list.map((event) => (
                <tr key={"seq" in event ? event.seq : `${event.stepId} ${event.at}`}>
                  <td className="muted nowrap">
                    <time dateTime={event.at} title={dateTime(event.at ?? null)}>
                      {event.at === undefined ? "" : clockTime(event.at)}
                    </time>
                  </td>
                  <td>{WORDS[event.event] ?? event.event}</td>
                  <td>
                    <code>{"stepId" in event ? event.stepId : ""}</code>
                  </td>
                  <td>{"status" in event && <StatusChip status={event.status} />}</td>
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
