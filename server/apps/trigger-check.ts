import type { App, AppTrigger } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerSettings } from "../../contract/triggers.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { AppError, invalidRequest, notFound } from "../lib/errors.ts";
import { inputFieldsOf, readInput } from "./app-input.ts";
import type { AppCatalogue } from "./catalogue.ts";

export interface TriggerChecksDeps {
  catalogue: Pick<AppCatalogue, "find">;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

/** Checks the settings of a trigger when they are saved. */
export function createTriggerChecks({ catalogue, useConnection }: TriggerChecksDeps) {
  return async function checkTrigger(ownerId: string, settings: TriggerSettings["app"]): Promise<void> {
    const app = await catalogue.find(ownerId, settings.app);
    const { trigger } = requireTrigger(app, settings);
    const use = await useConnection(ownerId, settings.connection);
    if (use.app !== settings.app)
      throw invalidRequest(`The connection belongs to ${use.app ?? "no app"}, not to ${app?.title}.`, [
        { path: "settings.connection", message: `must be a connection of ${app?.title}` },
      ]);
    try {
      readInput(inputFieldsOf(trigger), settings.input as JsonValue);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw invalidRequest(error.message, [{ path: "settings.input", message: error.message }]);
    }
  };
}

/** An app may have changed since the trigger was saved. */
export function requireTrigger(
  app: App | undefined,
  settings: TriggerSettings["app"],
): { app: App; trigger: AppTrigger } {
  if (app === undefined) throw notFound("app", settings.app);
  const trigger = Object.hasOwn(app.triggers ?? {}, settings.trigger)
    ? app.triggers?.[settings.trigger]
    : undefined;
  if (trigger === undefined) throw invalidRequest(`${app.title} has no trigger "${settings.trigger}".`);
  return { app, trigger };
}
