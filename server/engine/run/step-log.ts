import {
  MAX_LOG_BYTES,
  MAX_LOG_LINES,
  MAX_LOG_MESSAGE_CHARACTERS,
} from "../../../contract/step-log-limits.ts";
import type { LogLevel, LogLine } from "../../../contract/step-log.ts";
import { toIso } from "../../lib/clock.ts";

/** The log lines of one attempt. */
export interface StepLog {
  /** The lines kept so far. */
  readonly lines: LogLine[];
  /** Their size when they are stored. */
  readonly bytes: number;
  /** Returns the kept line; undefined when the limit is reached or the attempt has ended. */
  write(at: number, level: LogLevel, message: string): LogLine | undefined;
  /** Ends the log: a runner that ignores its signal may still write. Adds a line about those left out. */
  end(at: number): void;
}

/** A step in execution. */
export interface RunningStep {
  readonly type: string;
  readonly startedAt: number;
  /** Created with the first line: most steps write none. */
  log?: StepLog | undefined;
}

/** What the JSON of a line has beside its message. */
const LINE_BYTES = 64;

export function createStepLog(redact: (text: string) => string): StepLog {
  const lines: LogLine[] = [];
  let bytes = 0;
  let omitted = 0;
  let ended = false;
  return {
    lines,
    get bytes() {
      return bytes;
    },
    write(at, level, message) {
      if (ended) return undefined;
      // After the first line that does not fit none is kept, so that the lines have no hidden gap.
      if (omitted > 0 || lines.length >= MAX_LOG_LINES) {
        omitted += 1;
        return undefined;
      }
      // Redacted before it is cut: half of a secret would not be found.
      const line = { at: toIso(at), level, message: cut(redact(message)) };
      const size = Buffer.byteLength(line.message) + LINE_BYTES;
      if (bytes + size > MAX_LOG_BYTES) {
        omitted += 1;
        return undefined;
      }
      bytes += size;
      lines.push(line);
      return line;
    },
    end(at) {
      if (ended) return;
      ended = true;
      if (omitted === 0) return;
      const message = `${omitted} more ${omitted === 1 ? "line was" : "lines were"} left out: a step keeps at most ${MAX_LOG_LINES} lines and ${MAX_LOG_BYTES / 1024} KiB per attempt.`;
      lines.push({ at: toIso(at), level: "warn", message });
    },
  };
}

function cut(message: string): string {
  if (message.length <= MAX_LOG_MESSAGE_CHARACTERS) return message;
  const isPair = /[\uD800-\uDBFF]/.test(message.charAt(MAX_LOG_MESSAGE_CHARACTERS - 1));
  return `${message.slice(0, MAX_LOG_MESSAGE_CHARACTERS - (isPair ? 1 : 0))}…`;
}
