import type { LogEntry } from "../../api/sessions.ts";
import { FormattedText } from "../../ui/formatted-text.tsx";
import { clockTime } from "../../ui/time.ts";

interface MessageProps {
  entry: LogEntry;
  names: ReadonlyMap<string, string>;
  myId: string | undefined;
  myName: string;
}

/** One entry of the session log. Its content is untrusted and is rendered as text. */
export function Message({ entry, names, myId, myName }: MessageProps) {
  const { from, to, type, content } = entry;
  const isMine = from.type === "user" || from.id === myId;
  const sender = isMine ? myName : (names.get(from.id) ?? from.id);
  const recipient = to.id === "broadcast" ? "everyone" : (names.get(to.id) ?? to.id);
  if (type === "status" && content["status"] === "cancelled")
    return (
      <div className="room-note" data-seq={entry.seq}>
        {sender} stopped the session.
      </div>
    );
  const text = textOf(content);
  if (type === "status" || type === "error" || from.type === "system")
    return (
      <div className={`room-note${type === "error" ? " bad" : ""}`} data-seq={entry.seq}>
        {sender === from.id && from.type === "system" ? "" : `${sender}: `}
        {text}
      </div>
    );
  return (
    <article className="msg" data-seq={entry.seq}>
      <span className={`av${isMine ? " me" : from.type === "external" ? " outside" : ""}`} aria-hidden>
        {sender.slice(0, 2)}
      </span>
      <div className="msg-body">
        <b className="small">{sender}</b>{" "}
        <span className="xs muted">
          to {recipient} · {entry.seq} · {clockTime(entry.createdAt)}
        </span>
        <FormattedText text={text} />
      </div>
    </article>
  );
}

/** An answer that is being written; the entry of the log takes its place. */
export function WritingMessage({ sender, text }: { sender: string; text: string }) {
  return (
    <article className="msg" aria-hidden>
      <span className="av">{sender.slice(0, 2)}</span>
      <div className="msg-body muted">
        <b className="small">{sender}</b> <span className="xs">writing …</span>
        <FormattedText text={text} />
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
