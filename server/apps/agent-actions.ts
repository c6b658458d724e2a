import { type AppField, inputSchemaOf } from "../../contract/apps.ts";
import type { InputSchema } from "../../contract/input/input-field.ts";
import type { CreateAgent } from "../../contract/agents.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { invalidRequest, notFound } from "../lib/errors.ts";
import { inputFieldsOf } from "./app-input.ts";
import { type AppCatalogue, writesOf } from "./catalogue.ts";

/** Actions of an app, as an agent may use them. */
export interface AppOffer {
  title: string;
  actions: { id: string; title: string; description: string; writes: boolean; inputSchema: InputSchema }[];
}

type AppTools = NonNullable<NonNullable<CreateAgent["tools"]>["apps"]>[number];

export interface AgentActionsDeps {
  catalogue: Pick<AppCatalogue, "find">;
  useConnection(ownerId: string, id: string): Promise<ConnectionUse>;
}

export function createAgentActions({ catalogue, useConnection }: AgentActionsDeps) {
  return {
    async actions(ownerId: string, appId: string, chosen?: readonly string[]): Promise<AppOffer | undefined> {
      const app = await catalogue.find(ownerId, appId, chosen);
      if (app === undefined) return undefined;
      return {
        title: app.title,
        actions: Object.entries(app.actions).map(([id, action]) => ({
          id,
          title: action.title,
          description: action.description,
          writes: writesOf(action),
          inputSchema: inputSchemaOf(describedFields(inputFieldsOf(action))),
        })),
      };
    },

    /** Throws when an agent names an app, an action or a connection that it cannot use. */
    async require(
      ownerId: string,
      { app: appId, connection, actions = [], permissions = {} }: AppTools,
    ): Promise<void> {
      const named = [...actions, ...Object.keys(permissions)];
      const app = await catalogue.find(ownerId, appId, named);
      if (app === undefined) throw notFound("app");
      const unknown = named.find((id) => !Object.hasOwn(app.actions, id));
      if (unknown !== undefined)
        throw invalidRequest(`${app.title} has no action "${unknown.slice(0, 80)}".`);
      const use = await useConnection(ownerId, connection);
      if (use.app !== appId)
        throw invalidRequest(`The connection belongs to ${use.app ?? "no app"}, not to ${app.title}.`);
    },
  };
}

/** Models read descriptions, not titles. */
function describedFields(fields: Readonly<Record<string, AppField>>): Record<string, AppField> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...field, description: field.description ?? field.title },
    ]),
  );
}
