import type { ExternalAgent } from "../../../contract/teams.ts";
import { connectionFetch } from "../../connections/connection-fetch.ts";
import type { ConnectionUses } from "../../connections/connection-uses.ts";
import type { Vault } from "../../engine/run/run.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";

export interface Credential {
  /** Sends requests to the agent, with its credential. */
  fetch: Egress["fetch"];
  /** Every value that must not appear in the log of a session. */
  secrets(): string[];
}

export type ReadCredential = (
  agent: Pick<ExternalAgent, "name" | "credential" | "connection">,
  ownerId: string,
) => Promise<Credential>;

export interface ReadCredentialDeps {
  egress: Pick<Egress, "fetch">;
  vault: Pick<Vault, "secrets">;
  useConnection: ConnectionUses["use"];
}

/** How an external agent is called: with a connection, with the owner's secret variable in a header, or with nothing. */
export function createReadCredential({ egress, vault, useConnection }: ReadCredentialDeps): ReadCredential {
  return async ({ credential, connection }, ownerId) => {
    if (connection !== undefined) {
      const use = await useConnection(ownerId, connection);
      return { fetch: (url, init) => connectionFetch(egress, use, url, init), secrets: use.secrets };
    }
    if (credential === undefined) return { fetch: egress.fetch, secrets: () => [] };
    const { secret: name, header = "" } = credential;
    const { [name]: value } = await vault.secrets(ownerId, [name]);
    if (typeof value !== "string" || value === "")
      throw new AppError(
        "external_agent_failed",
        `There is no secret named ${name}. Add it under Variables, or choose another for this agent.`,
      );
    const added: Record<string, string> =
      header === "" ? { authorization: `Bearer ${value}` } : { [header.toLowerCase()]: value };
    return {
      fetch: (url, init = {}) => egress.fetch(url, { ...init, headers: { ...init.headers, ...added } }),
      secrets: () => [value],
    };
  };
}
