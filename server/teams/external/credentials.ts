import type { ExternalAgent } from "../../../contract/teams.ts";
import type { Vault } from "../../engine/run/run.ts";
import { AppError } from "../../lib/errors.ts";

export interface Credential {
  headers: Record<string, string>;
  /** The secret itself, which must not appear in the log of a session. */
  secrets: string[];
}

export type ReadCredential = (
  agent: Pick<ExternalAgent, "name" | "credential">,
  ownerId: string,
) => Promise<Credential>;

/** The header that an external agent's address asks for, with the owner's secret variable. */
export function createReadCredential(vault: Pick<Vault, "secrets">): ReadCredential {
  return async ({ credential }, ownerId) => {
    if (credential === undefined) return { headers: {}, secrets: [] };
    const { secret: name, header } = credential;
    const { [name]: value } = await vault.secrets(ownerId, [name]);
    if (typeof value !== "string" || value === "")
      throw new AppError(
        "external_agent_failed",
        `There is no secret named ${name}. Add it under Variables, or choose another for this agent.`,
      );
    const headers =
      header === undefined ? { authorization: `Bearer ${value}` } : { [header.toLowerCase()]: value };
    return { headers, secrets: [value] };
  };
}
