import type { SessionStatus } from "../../contract/teams.ts";

/** Hints between the parts, and the processes, that serve one team. The rows are the truth: a lost hint only delays. */
export type RoomSignal =
  /** The log has entries from `firstSeq` on. */
  | { kind: "grown"; teamId: string; sessionId: string; firstSeq: number }
  | {
      kind: "status";
      teamId: string;
      sessionId: string;
      status: SessionStatus;
      agentId?: string;
      detail?: string;
    }
  /** A session waits for somebody to join. */
  | { kind: "waiting"; teamId: string }
  | { kind: "cancelled"; sessionId: string };

export interface RoomSignals {
  publish(signal: RoomSignal): void;
  /** Returns the way out. */
  subscribe(listener: (signal: RoomSignal) => void): () => void;
}

/** Whether somebody is in a team's war room, in this process. */
export interface Presence {
  enter(teamId: string): void;
  leave(teamId: string): void;
  count(teamId: string): number;
}

export function createPresence(): Presence {
  const counts = new Map<string, number>();
  return {
    enter: (teamId) => void counts.set(teamId, (counts.get(teamId) ?? 0) + 1),
    leave(teamId) {
      const rest = (counts.get(teamId) ?? 1) - 1;
      if (rest > 0) counts.set(teamId, rest);
      else counts.delete(teamId);
    },
    count: (teamId) => counts.get(teamId) ?? 0,
  };
}
