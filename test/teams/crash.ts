import { type ChildService, startChild } from "../chaos/child-service.ts";
import type { LogEntry, Session } from "../../contract/teams.ts";
import { type ChatRequest, startStubModelServer, stubModelSettings } from "../support/stub-model-server.ts";

export interface CrashReport {
  sessions: number;
  kills: number;
  /** Calls of the model; those beyond three per session repeat a turn that a kill interrupted. */
  modelCalls: number;
  /** Descriptions of wrong sessions; empty on success. */
  problems: string[];
}

const NAMES = ["Ann", "Ben", "Cid"];
/** Counted, not timed: on a busy machine a process may need seconds for its first turn. */
const TURNS_BETWEEN_KILLS = 10;

/** Runs sessions of three agents in a line while the process is killed again and again. */
export async function crashSessions(
  dataDir: string,
  { sessions, kills, pauseMs }: { sessions: number; kills: number; pauseMs: number },
): Promise<CrashReport> {
  const stub = await startStubModelServer();
  stub.answerWith(
    (request: ChatRequest) => `${/You are (\w+)/.exec(String(request.messages[0]?.content))?.[1]} has spoken`,
  );
  const start = (): Promise<ChildService> =>
    startChild({
      LOG_LEVEL: "error",
      DATA_DIR: dataDir,
      TEAM_JOIN_WAIT_MS: "0",
      WORKER_CONCURRENCY: "8",
      ...stubModelSettings(stub),
    });
  let service = await start();
  try {
    const headers: Record<string, string> = { "content-type": "application/json" };
    /** Repeats a call that a crash interrupted: only acknowledged calls count. */
    async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
      for (;;) {
        try {
          const response = await fetch(service.address + path, {
            method,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          if (response.ok) return (await response.json()) as T;
        } catch {
          // The process was killed; the next one is starting.
        }
        await pause(20);
      }
    }
    const { token } = await call<{ token: string }>("POST", "/api/auth/register", {
      email: "ada@example.com",
      password: "long enough",
    });
    headers["authorization"] = `Bearer ${token}`;
    const agents: string[] = [];
    for (const name of NAMES)
      agents.push((await call<{ agent: { id: string } }>("POST", "/api/agents", { name })).agent.id);
    const { team } = await call<{ team: { id: string } }>("POST", "/api/agent-teams", {
      name: "Crew",
      agents,
      topology: "linear",
    });

    const started: string[] = [];
    const intake = (async () => {
      while (started.length < sessions)
        started.push(
          (await call<{ sessionId: string }>("POST", `/api/agent-teams/${team.id}/run`, { objective: "Go" }))
            .sessionId,
        );
    })();
    for (let kill = 0; kill < kills; kill++) {
      // A process that takes no turn tests nothing, and three such processes would fail the session as poisoned.
      const before = stub.requests.length;
      for (let n = 0; n < 500 && stub.requests.length < before + TURNS_BETWEEN_KILLS; n++) await pause(20);
      await pause(pauseMs * (0.5 + Math.random()));
      await service.end("SIGKILL");
      service = await start();
    }
    await intake;

    const problems: string[] = [];
    for (const id of started) {
      let session: Session;
      do ({ session } = await call<{ session: Session }>("GET", `/api/agent-teams/sessions/${id}`));
      while (session.status === "active" && (await pause(10)));
      const { logs } = await call<{ logs: LogEntry[] }>("GET", `/api/agent-teams/sessions/${id}/logs`);
      problems.push(...problemsOf(session, logs));
    }
    return { sessions: started.length, kills, modelCalls: stub.requests.length, problems };
  } finally {
    await service.end("SIGKILL");
    await stub.close();
  }
}

function problemsOf({ id, status, result, error }: Session, logs: LogEntry[]): string[] {
  const actual = logs.map(({ seq, content }) => `${seq} ${String(content["text"])}`).join(" | ");
  const expected = ["Go", ...NAMES.map((name) => `${name} has spoken`)]
    .map((text, index) => `${index + 1} ${text}`)
    .join(" | ");
  const problems = actual === expected ? [] : [`${id}: the log is ${actual}`];
  return status === "completed" && result?.output === "Cid has spoken"
    ? problems
    : [...problems, `${id}: ended ${status} ${error?.code ?? ""}`];
}

async function pause(ms: number): Promise<true> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return true;
}
