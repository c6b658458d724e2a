import type { Connection } from "../../api/connections.ts";
import { until } from "../../ui/time.ts";

const SOON_MS = 7 * 24 * 3600 * 1000;

const STATUSES = {
  connected: ["Connected", "ok"],
  authorization_needed: ["Sign-in needed", "wait"],
  failing: ["Not working", "bad"],
  untested: ["Not tested", ""],
} as const;

type Shown = Pick<Connection, "status" | "expiresAt">;

function expiresSoon({ status, expiresAt }: Shown): boolean {
  return status === "connected" && expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS;
}

export function needsAttention(connection: Shown): boolean {
  return (
    connection.status === "failing" || connection.status === "authorization_needed" || expiresSoon(connection)
  );
}

export function ConnectionStatus({ connection }: { connection: Shown }) {
  const [word, tone] = STATUSES[connection.status];
  return expiresSoon(connection) ? (
    <span className="chip dot wait">Expires {until(connection.expiresAt ?? "")}</span>
  ) : (
    <span className={`chip dot ${tone}`} data-status={connection.status}>
      {word}
    </span>
  );
}
