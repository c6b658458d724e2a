import type { A2aMessage } from "../../contract/a2a.ts";
import { AppError } from "../lib/errors.ts";
import { hashKey, secretsEqual } from "../security/api-keys.ts";
import type { MessageReceipt, Sessions } from "./sessions.ts";
import type { TeamRecord, TeamStore } from "./team.sql.ts";

export type A2aIntake = ReturnType<typeof createA2aIntake>;

/** Messages of external agents: checks the team's secret, then the sender's name, then the session. */
export function createA2aIntake({ teams, sessions }: { teams: Pick<TeamStore, "find">; sessions: Sessions }) {
  return {
    /** Runs before the body is read. */
    async authenticate(teamId: string, secret: string | undefined): Promise<TeamRecord> {
      if (secret === undefined || secret === "") {
        throw new AppError("missing_secret", "Send the team's secret in the header x-a2a-secret.");
      }
      const team = await teams.find(teamId);
      // An unknown team costs the same comparison and gets the same response: team ids cannot be probed.
      const isRight = secretsEqual(hashKey(secret), team?.secretHash ?? "");
      if (team === undefined || !isRight)
        throw new AppError("invalid_secret", "This is not the secret of this team.");
      return team;
    },

    requireListed,

    async receive(team: TeamRecord, message: A2aMessage): Promise<MessageReceipt> {
      requireListed(team, message.from);
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
        dedupeKey: messageId === undefined ? undefined : `${message.from.id} ${messageId}`,
      });
      return { ...receipt, messageId: messageId ?? receipt.messageId };
    },
  };
}

/** An external agent cannot post in the name of an internal one: the type must be external and the name listed. */
function requireListed({ externalAgents }: TeamRecord, { id, type }: { id: string; type: string }): void {
  if (type !== "external" || !externalAgents.some(({ name }) => name === id)) {
    throw new AppError("unknown_agent", "The sender must be an external agent that this team lists.");
  }
}
