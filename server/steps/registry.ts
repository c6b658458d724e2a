import type { ConnectionUses } from "../connections/connection-uses.ts";
import type { Converter } from "../convert/converter.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { Egress } from "../security/egress.ts";
import { createConvertRunner } from "./convert.ts";
import { createCodeRunner, type CodeRunnerDeps } from "./code.ts";
import { createConditionRunner } from "./condition.ts";
import { createDataRunner } from "./data.ts";
import { createEmailRunner, type EmailRunnerDeps } from "./email.ts";
import type { Expressions } from "./expressions.ts";
import { createFileRunner } from "./file.ts";
import { createHttpRunner } from "./http.ts";
import type { ValueLimits } from "./http-response.ts";
import type { OwnerFolders } from "./owner-files.ts";
import { createSwitchRunner } from "./switch.ts";
import { createTransformRunner } from "./transform.ts";

export interface StepRunnersDeps {
  egress: Pick<Egress, "fetch" | "resolve">;
  connections: Pick<ConnectionUses, "use">;
  expressions: Pick<Expressions, "evaluate" | "findPattern">;
  sandbox: CodeRunnerDeps["sandbox"];
  folders: OwnerFolders;
  runFiles: RunFiles;
  converter: Converter;
  limits: ValueLimits & EmailRunnerDeps["limits"];
  smtp: EmailRunnerDeps["smtp"];
  tracing?: EmailRunnerDeps["tracing"];
  /** Runners that need other features: models, agents, documents. */
  others: Record<
    "llm" | "agent" | "app" | "document_query" | "mcp" | "store" | "sql" | "redis" | "s3",
    StepRunner
  >;
}

/** One runner per step type, by its canonical name. The engine itself runs delay, approval, foreach and workflow. */
export function createStepRunners(deps: StepRunnersDeps): ReadonlyMap<string, StepRunner> {
  return new Map<string, StepRunner>([
    ["http", createHttpRunner(deps)],
    ["file", createFileRunner(deps)],
    ["convert", createConvertRunner(deps)],
    ["transform", createTransformRunner(deps)],
    ["data", createDataRunner(deps)],
    ["code", createCodeRunner(deps)],
    ["condition", createConditionRunner(deps)],
    ["switch", createSwitchRunner()],
    ["email", createEmailRunner(deps)],
    ...Object.entries(deps.others),
  ]);
}
