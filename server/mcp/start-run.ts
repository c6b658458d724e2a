import { agentRunWorkflow } from "../agents/agent-run.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine } from "../engine/engine-api.ts";
import { invalidRequest } from "../lib/errors.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { TeamStore } from "../teams/team.sql.ts";
import type { StartRun } from "./call-tool.ts";
import { TEXT_INPUT } from "./tools.ts";

export interface StartRunDeps {
  engine: Pick<Engine, "start">;
  sessions: Pick<Sessions, "start">;
  teams: Pick<TeamStore, "get">;
}

export function createStartRun({ engine, sessions, teams }: StartRunDeps): StartRun {
  return async (record, input) => {
    const { ownerId, recordId, kind, workflow } = record;
    if (kind === "workflow") {
      const { taskId } = await engine.start({ workflow: workflow!, trigger: "mcp", input });
      return { id: taskId, total: workflow!.graph.steps.length };
    }
    if (kind === "agent") {
      const message = textOf(input, TEXT_INPUT.agent);
      const { taskId } = await engine.start({
        workflow: { ...agentRunWorkflow, ownerId },
        trigger: "mcp",
        input: { agentId: recordId, message },
      });
      return { id: taskId };
    }
    const team = await teams.get(recordId, ownerId);
    const session = await sessions.start(
      team,
      textOf(input, TEXT_INPUT.team),
      { id: ownerId, type: "user" },
      { immediately: true, trigger: "mcp" },
    );
    return { id: session.id };
  };
}

function textOf(input: Record<string, JsonValue>, field: string): string {
  const value = input[field];
  if (typeof value !== "string" || value.trim() === "")
    throw invalidRequest(`${field} must be a text that is not empty.`);
  return value;
}
