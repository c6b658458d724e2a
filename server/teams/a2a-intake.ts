import type { A2aMessage } from "../../contract/a2a.ts";
import { AppError } from "../lib/errors.ts";
import { hashKey, secretsEqual } from "../security/api-keys.ts";
import type { MessageReceipt, Sessions } from "./sessions.ts";
import type { TeamRecord, TeamStore } from "./team-store.ts";

export type A2aIntake = ReturnType<typeof createA2aIntake>;

/** The door for external agents: first the team's secret, then a name that the team lists, then one of its sessions. */
export function createA2aIntake({ teams, sessions }: { teams: Pick<TeamStore, "find">; sessions: Sessions }) {
  return {
    /** Decided before a byte of the body is read. */
    async authenticate(teamId: string, secret: string | undefined): Promise<TeamRecord> {
      if (secret === undefined || secret === "") {
        throw new AppError("missing_secret", "Send the team's secret in the header x-a2a-secret.");
      }
      const team = await teams.find(teamId);
      // An unknown team costs the same comparison and gets the same answer.
      const right = secretsEqual(hashKey(secret), team?.secretHash ?? "");
      if (team === undefined || !right)
        throw new AppError("invalid_secret", "This is not the secret of this team.");
      return team;
    },

    requireListed,

    async receive(team: TeamRecord, message: A2aMessage): Promise<MessageReceipt> {
      requireListed(team, message.from);
      const session = await sessions.ofTeam(message.sessionId, team.id);
      if (session === undefined || session.status === "cancelled") {
        throw new AppError("invalid_session", "This is no session of the team, or it was cancelled.");
      }
      const { messageId } = message;
      const said = await sessions.post(session, {
        from: { id: message.from.id, type: "external" },
        to: message.to,
        type: message.type,
        content: message.content,
        dedupeKey: messageId === undefined ? undefined : `${message.from.id} ${messageId}`,
      });
      return { ...said, messageId: messageId ?? said.messageId };
    },
  };
}

/** Nobody outside speaks as somebody inside: the type must be external and the name one that the team lists. */
function requireListed({ externalAgents }: TeamRecord, { id, type }: { id: string; type: string }): void {
  if (type !== "external" || !externalAgents.some(({ name }) => name === id)) {
    throw new AppError("unknown_agent", "The sender must be an external agent that this team lists.");
  }
}
