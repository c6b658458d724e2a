import type { LogEntry } from "../../api/sessions.ts";
import { Prose } from "../../ui/prose.tsx";
import { clockTime } from "../../ui/time.ts";

interface MessageProps {
  entry: LogEntry;
  names: ReadonlyMap<string, string>;
  myId: string | undefined;
  myName: string;
}

/** What was said, as text; an agent may write anything, so nothing of it becomes markup. */
export function Message({ entry, names, myId, myName }: MessageProps) {
  const { from, to, type, content } = entry;
  const mine = from.type === "user" || from.id === myId;
  const speaker = mine ? myName : (names.get(from.id) ?? from.id);
  const listener = to.id === "broadcast" ? "everyone" : (names.get(to.id) ?? to.id);
  const said = textOf(content);
  if (type === "status" || type === "error" || from.type === "system")
    return (
      <div className={`room-note${type === "error" ? " bad" : ""}`} data-seq={entry.seq}>
        {speaker === from.id && from.type === "system" ? "" : `${speaker}: `}
        {said}
      </div>
    );
  return (
    <article className="msg" data-seq={entry.seq}>
      <span className={`av${mine ? " me" : from.type === "external" ? " outside" : ""}`} aria-hidden>
        {speaker.slice(0, 2)}
      </span>
      <div className="msg-body">
        <b className="small">{speaker}</b>{" "}
        <span className="xs muted">
          to {listener} · {entry.seq} · {clockTime(entry.createdAt)}
        </span>
        {type === "tool_call" || type === "tool_result" ? (
          <div className="tool">
            {type === "tool_call" ? "uses" : "got"} {said}
          </div>
        ) : (
          <Prose text={said} />
        )}
      </div>
    </article>
  );
}

function textOf(content: Record<string, unknown>): string {
  for (const name of ["text", "message", "result", "prompt", "objective", "output", "detail"]) {
    const value = content[name];
    if (typeof value === "string") return value;
  }
  return JSON.stringify(content, null, 2);
}
