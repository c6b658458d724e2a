import type { LogLine } from "../../../contract/step-log.ts";
import { clockTime, dateTime } from "../../ui/time.ts";
import "./output.css";

/** The log lines of a step, oldest first. */
export function LogLines({ lines }: { lines: readonly LogLine[] }) {
  return (
    // Focusable, because it scrolls.
    <ol className="log-lines" aria-label="Log lines" tabIndex={0}>
      {lines.map(({ at, level, message }, index) => (
        <li key={index} data-level={level}>
          <time className="muted" dateTime={at} title={dateTime(at)}>
            {clockTime(at)}
          </time>
          <span className="log-level">{level}</span>
          <span className="breakable">{message}</span>
        </li>
      ))}
    </ol>
  );
}
