import { MAX_LOG_BYTES, MAX_LOG_LINES } from "../../contract/step-log-limits.ts";
import type { LogLevel } from "../../contract/step-log.ts";
import type { CodeLogs } from "./sandbox-message.ts";

// The log of a step has as many; a last line says how many more there were.
const MAX_LINES = MAX_LOG_LINES - 1;
const MAX_BYTES = MAX_LOG_BYTES - 256;
const LEVELS: ReadonlySet<string> = new Set(["debug", "info", "warn", "error"] satisfies LogLevel[]);

/** The first lines of a call; the others are counted. */
export interface LogBuffer {
  /** False when the next line would not be kept. */
  add(level: string, message: string): boolean;
  drop(): false;
  take(): CodeLogs;
}

export function createLogBuffer(): LogBuffer {
  let lines: CodeLogs["lines"] = [];
  let bytes = 0;
  let dropped = 0;
  return {
    add(level, message) {
      if (lines.length >= MAX_LINES || bytes + Buffer.byteLength(message) > MAX_BYTES) {
        dropped += 1;
        return false;
      }
      bytes += Buffer.byteLength(message);
      lines.push({ level: LEVELS.has(level) ? (level as LogLevel) : "info", message });
      return true;
    },
    drop() {
      dropped += 1;
      return false;
    },
    take() {
      const taken = { lines, dropped };
      [lines, bytes, dropped] = [[], 0, 0];
      return taken;
    },
  };
}
