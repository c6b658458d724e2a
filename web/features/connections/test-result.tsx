import type { ConnectionTest } from "../../api/connections.ts";
import { duration } from "../../ui/time.ts";

/** Who answered, or what went wrong. */
export function TestResult({ result: { status, message, account, ms } }: { result: ConnectionTest }) {
  if (status === "connected")
    return (
      <div className="notice ok" role="status">
        {account === null ? "It works" : `Works as ${account}`} · {duration(ms)}
      </div>
    );
  return (
    <div className={`notice ${status === "failing" ? "bad" : "wait"}`} role="status">
      {message}
    </div>
  );
}
