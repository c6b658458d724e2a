import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signIn } from "../../bench/service-client.ts";
import { startChild } from "../chaos/child-service.ts";
import { startStubModelServer, stubModelSettings } from "../support/stub-model-server.ts";

export interface TestedAgent {
  kind: "team" | "workflow";
  url: string;
  headers: Record<string, string>;
}

export interface SystemUnderTest {
  agents: TestedAgent[];
  close(): Promise<void>;
}

/** How long an agent works. The TCK expects a task to work for seconds after it was sent. */
const WORK_SECONDS = 5;
/** A call that waits returns the working task after this long. */
const SYNC_TIMEOUT_MS = 300;
/** Tests that continue a task: the workflow asks these callers for a decision. Their tasks are never completed. */
const CONTINUED = "^(Hello from TCK|Initial message|Hello from resilience)";

/** The built service with a team and a workflow as agents. */
export async function startSystemUnderTest(): Promise<SystemUnderTest> {
  const dataDir = mkdtempSync(join(tmpdir(), "baton-tck-"));
  const model = await startStubModelServer();
  model.answerWith(() => ({
    text: "Hello from Baton",
    gate: new Promise((resolve) => setTimeout(resolve, WORK_SECONDS * 1000)),
  }));
  const service = await startChild({
    LOG_LEVEL: "warn",
    DATA_DIR: dataDir,
    SYNC_TIMEOUT_MS: String(SYNC_TIMEOUT_MS),
    ...stubModelSettings(model),
  });
  const { post, put } = await owner(service.address);
  const { agent } = await post("/api/agents", { name: "Ann", capabilities: ["answers"] });
  const { team } = await post("/api/agent-teams", {
    name: "Crew",
    agents: [agent.id],
    externalAgents: [{ name: "tck", capabilities: [] }],
  });
  const { workflow } = await post("/api/workflows", {
    name: "Greeter",
    description: "Greets people",
    metadata: {
      steps: [
        {
          stepId: "is-continued",
          type: "condition",
          left: "{{input.message}}",
          operator: "matches",
          right: CONTINUED,
        },
        { stepId: "ask", type: "approval", message: "Approve or reject?" },
        { stepId: "work", type: "delay", seconds: WORK_SECONDS },
        { stepId: "greet", type: "transform", template: "Hello from Baton" },
      ],
      edges: [
        { id: "yes", source: "is-continued", target: "ask", condition: "true" },
        { id: "no", source: "is-continued", target: "work", condition: "false" },
        { id: "end", source: "work", target: "greet" },
      ],
    },
  });
  await put(`/api/exposures/workflow/${workflow.id}`, { a2a: true });
  const { rawKey } = await post("/api/keys", { name: "TCK", scopes: ["a2a"] });
  return {
    agents: [
      {
        kind: "workflow",
        url: `${service.address}/a2a/${workflow.id}`,
        headers: { Authorization: `Bearer ${rawKey}` },
      },
      {
        kind: "team",
        url: `${service.address}/a2a/${team.id}`,
        headers: { "x-a2a-secret": team.a2aSecret, "x-a2a-agent": "tck" },
      },
    ],
    async close() {
      await service.end("SIGTERM");
      await model.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function owner(address: string) {
  const { login, post } = await signIn(address);
  return {
    post,
    async put(path: string, body: unknown) {
      const response = await fetch(address + path, {
        method: "PUT",
        headers: { ...login, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    },
  };
}
