import type { LanguageModel, LanguageModels, ModelChoice } from "../models/language-model.ts";
import { redactModel } from "../models/redacted-model.ts";
import type { Egress } from "../security/egress.ts";
import { connectionWebFetch } from "./connection-fetch.ts";
import type { ConnectionUses } from "./connection-uses.ts";

/** What a step or an agent names. */
export interface AskedModel extends Pick<ModelChoice, "provider" | "model"> {
  ownerId: string;
  /** The id of a connection. */
  connection?: string | undefined;
  baseUrl?: string | undefined;
}

export type OpenModel = (asked: AskedModel) => Promise<LanguageModel>;

export interface OpenModelDeps {
  models: Pick<LanguageModels, "get">;
  useConnection: ConnectionUses["use"];
  /** For models of users. Configured models may be on this machine and skip it. */
  egress: Pick<Egress, "webFetch">;
}

/** A configured model, or one that is called with a connection of the owner. */
export function createOpenModel({ models, useConnection, egress }: OpenModelDeps): OpenModel {
  return async ({ connection, baseUrl, ...choice }) => {
    if (connection === undefined) return models.get(choice);
    const use = await useConnection(choice.ownerId, connection);
    const fetch = connectionWebFetch(egress.webFetch, use);
    return redactModel(models.get({ ...choice, connection: { fetch, baseUrl } }), use.secrets);
  };
}
