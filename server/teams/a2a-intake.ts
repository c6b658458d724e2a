import type { A2aMessage } from "../../contract/a2a.ts";
import { AppError } from "../lib/errors.ts";
import { hashKey, secretsEqual } from "../security/api-keys.ts";
import type { AgentSecretStore } from "./external/agent-secret.sql.ts";
import type { MessageReceipt, Sessions } from "./sessions.ts";
import type { TeamRecord, TeamStore } from "./team.sql.ts";

export type A2aIntake = ReturnType<typeof createA2aIntake>;

export interface A2aIntakeDeps {
  teams: Pick<TeamStore, "find">;
  agentSecrets: Pick<AgentSecretStore, "list">;
  sessions: Sessions;
}

/** The team of a secret, and the external agent that the secret belongs to; undefined for the team's own secret. */
export interface AuthenticatedTeam {
  team: TeamRecord;
  agentName: string | undefined;
}

/** Messages of external agents: checks the secret, then the sender's name, then the session. */
export function createA2aIntake({ teams, agentSecrets, sessions }: A2aIntakeDeps) {
  /** The external agent that the secret belongs to. */
  async function agentOf(team: TeamRecord, hash: string): Promise<string | undefined> {
    const secrets = await agentSecrets.list(team.id);
    return secrets.find(({ secretHash }) => secretsEqual(hash, secretHash))?.name;
  }

  return {
    /** Runs before the body is read. */
    async authenticate(teamId: string, secret: string | undefined): Promise<AuthenticatedTeam> {
      if (secret === undefined || secret === "") {
        throw new AppError("missing_secret", "Send the team's secret in the header x-a2a-secret.");
      }
      const team = await teams.find(teamId);
      // An unknown team costs the same comparison and gets the same response: team ids cannot be probed.
      const hash = hashKey(secret);
      const isTeamSecret = secretsEqual(hash, team?.secretHash ?? "");
      if (team !== undefined && isTeamSecret) return { team, agentName: undefined };
      const agentName = team === undefined ? undefined : await agentOf(team, hash);
      if (team === undefined || agentName === undefined)
        throw new AppError("invalid_secret", "This is not the secret of this team or of one of its agents.");
      return { team, agentName };
    },

    requireListed,
    requireOwnName,

    async receive({ team, agentName }: AuthenticatedTeam, message: A2aMessage): Promise<MessageReceipt> {
      requireListed(team, message.from);
      requireOwnName(agentName, message.from.id);
      const session = await sessions.findInTeam(message.sessionId, team.id);
      if (session === undefined || session.status === "cancelled") {
        throw new AppError("invalid_session", "The team has no such session, or it was cancelled.");
      }
      const { messageId } = message;
      const receipt = await sessions.post(session, {
        from: { id: message.from.id, type: "external" },
        to: message.to,
        type: message.type,
        content: message.content,
        // The caller that waits for the end of this exchange gets no end by an answer of another agent.
        continues: await sessions.openExchange(session.id),
        dedupeKey: messageId === undefined ? undefined : `${message.from.id} ${messageId}`,
      });
      return { ...receipt, messageId: messageId ?? receipt.messageId };
    },
  };
}

/** The secret of one external agent does not open the team to the others. */
function requireOwnName(agentName: string | undefined, given: string): void {
  if (agentName !== undefined && agentName !== given)
    throw new AppError("unknown_agent", "This secret belongs to another external agent.");
}

/** An external agent cannot post in the name of an internal one: the type must be external and the name listed. */
function requireListed({ externalAgents }: TeamRecord, { id, type }: { id: string; type: string }): void {
  if (type !== "external" || !externalAgents.some(({ name }) => name === id)) {
    throw new AppError("unknown_agent", "The sender must be an external agent that this team lists.");
  }
}
