import { useEventWait } from "../../api/event-waits.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { dateTime, shortDateTime } from "../../ui/time.ts";

/** Below the row of a step that waits for an event: which one, until when, and the URL that continues it. */
export function EventWaitRow({ taskId, path }: { taskId: string; path: string }) {
  const wait = useEventWait(taskId, path).data;
  if (wait === undefined || wait === null) return null;
  const { event, key, dueAt, resumeUrl } = wait;
  return (
    <div className="tl-wait small" role="group" aria-label="Waiting for an event">
      <span>
        Waiting for event <b>{event}</b>
        {key !== "" && (
          <>
            , key <b>{key}</b>
          </>
        )}
      </span>
      <span className="muted">
        {dueAt === null ? (
          "No time limit"
        ) : (
          <>
            Until{" "}
            <time dateTime={dueAt} title={dateTime(dueAt)}>
              {shortDateTime(dueAt)}
            </time>
          </>
        )}
      </span>
      <CopyButton text={resumeUrl} label="Copy resume URL" />
    </div>
  );
}
