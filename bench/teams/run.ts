import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crashSessions } from "../../test/teams/crash.ts";
import { loadRooms } from "./rooms-load.ts";
import { runLatency } from "./run-latency.ts";

/**
 * Measures the figures of docs/build/agents-and-teams.md against the built service:
 * `npm run bench:teams -- crash --sessions 1000 --kills 20`, `… latency`,
 * `… rooms --clients 1000 --rooms 100 --rate 100 --seconds 60`. Exits with 1 if a check fails.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sessions: { type: "string", default: "1000" },
    kills: { type: "string", default: "20" },
    clients: { type: "string", default: "1000" },
    rooms: { type: "string", default: "100" },
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "60" },
    runs: { type: "string", default: "500" },
  },
});
const dataDir = mkdtempSync(join(tmpdir(), "baton-teams-"));
const report =
  positionals[0] === "crash"
    ? await crashSessions(dataDir, {
        sessions: Number(values.sessions),
        kills: Number(values.kills),
        pauseMs: 1500,
      })
    : positionals[0] === "latency"
      ? await runLatency(dataDir, Number(values.runs))
      : await loadRooms(dataDir, {
          clients: Number(values.clients),
          rooms: Number(values.rooms),
          perSecond: Number(values.rate),
          seconds: Number(values.seconds),
        });
rmSync(dataDir, { recursive: true, force: true });
console.log(JSON.stringify(report, null, 2));
if ("problems" in report && report.problems.length > 0) process.exitCode = 1;
