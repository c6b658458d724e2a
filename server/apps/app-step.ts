import type { StepRunner } from "../engine/run/step-runner.ts";
import { invalidField, requiredText } from "../steps/step-failure.ts";
import type { AppClient } from "./app-client.ts";
import { type AppCatalogue, requireAction } from "./catalogue.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { runAction } from "./run-action.ts";
import { withoutCredential } from "./without-credential.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

export interface AppRunnerDeps {
  catalogue: Pick<AppCatalogue, "find">;
  client: AppClient;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

/** Runs an action of an app. */
export function createAppRunner({ catalogue, client, useConnection }: AppRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { fields, ownerId } = call;
      const [appId, actionId] = [requiredText(fields, "app"), requiredText(fields, "action")];
      const { app, action } = requireAction(
        await catalogue.find(ownerId, appId, [actionId]),
        appId,
        actionId,
      );
      const { connection } = fields;
      const isConnected = connection !== undefined && connection !== null && connection !== "";
      if (!isConnected && action.public !== true)
        throw invalidField("connection", `is required. Choose a connection of ${app.title}`);
      const use = isConnected
        ? await useConnection(ownerId, requiredText(fields, "connection"))
        : withoutCredential(app);
      const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      return runAction(client, { app, action, use, input: fields["input"], call, timeoutMs });
    },
  };
}
