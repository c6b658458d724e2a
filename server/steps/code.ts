import type { StepRunner } from "../engine/run/step-runner.ts";
import { scriptValues } from "../lib/script-values.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { requiredText } from "./step-failure.ts";

export interface CodeRunnerDeps {
  sandbox: Pick<Sandbox, "run">;
}

/** Runs the code of the step in the sandbox; what it returns is the output. */
export function createCodeRunner({ sandbox }: CodeRunnerDeps): StepRunner {
  return {
    async run({ ownerId, fields, scope, secrets, signal, log }) {
      const output = await sandbox.run({
        ownerId,
        source: requiredText(fields, "code"),
        language: fields["language"] === "typescript" ? "typescript" : "javascript",
        values: { ...scriptValues(scope), secrets },
        signal,
        log,
      });
      return { output };
    },
  };
}
