import type { StepRunner } from "../engine/step-runner.ts";
import type { Egress } from "../security/egress.ts";
import { createConditionRunner } from "./condition.ts";
import { createEmailRunner, type EmailRunnerDeps } from "./email.ts";
import type { Expressions } from "./expressions.ts";
import { createFileRunner } from "./file.ts";
import { createHttpRunner } from "./http.ts";
import { createMissingPartRunner } from "./missing-part.ts";
import { createSwitchRunner } from "./switch.ts";
import { createTransformRunner } from "./transform.ts";

export interface StepRunnersDeps {
  egress: Pick<Egress, "fetch">;
  expressions: Pick<Expressions, "evaluate">;
  dataDir: string;
  smtp: EmailRunnerDeps["smtp"];
  /** Runners of other parts; they take the place of what stands here under the same type. */
  more?: ReadonlyMap<string, StepRunner>;
}

/** One runner a type, under its canonical name. Delay, approval, foreach and workflow are the engine's own. */
export function createStepRunners(deps: StepRunnersDeps): ReadonlyMap<string, StepRunner> {
  return new Map<string, StepRunner>([
    ["http", createHttpRunner(deps)],
    ["file", createFileRunner({ dataDir: deps.dataDir })],
    ["transform", createTransformRunner(deps)],
    ["condition", createConditionRunner()],
    ["switch", createSwitchRunner()],
    ["email", createEmailRunner(deps)],
    ...missingParts(),
    ...(deps.more ?? []),
  ]);
}

function missingParts(): [string, StepRunner][] {
  return [
    [
      "llm",
      createMissingPartRunner(
        "llm_not_configured",
        "This step needs a language model: the operator has to set LLM_PROVIDER, LLM_MODEL and, where the provider wants one, LLM_API_KEY.",
      ),
    ],
    ["agent", createMissingPartRunner("agent_not_available", "Agents are not part of this service yet.")],
    [
      "document_query",
      createMissingPartRunner(
        "documents_not_available",
        "Questions to documents are not part of this service yet.",
      ),
    ],
    [
      "mcp",
      createMissingPartRunner("mcp_not_available", "Calls to MCP servers are not part of this service yet."),
    ],
  ];
}
