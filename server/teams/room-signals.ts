import type { SwarmStatus, SwarmText } from "../../contract/realtime.ts";

/** Hints between the processes that serve one team. The rows are the truth: a lost hint only delays delivery. */
export type RoomSignal =
  /** The session's log has new entries from `firstSeq` on. */
  | { kind: "grown"; teamId: string; sessionId: string; firstSeq: number }
  | ({ kind: "status" } & SwarmStatus)
  | ({ kind: "text" } & SwarmText)
  /** Signals may have been lost: read the rows. */
  | { kind: "missed" }
  /** A session waits for a client to join. */
  | { kind: "waiting"; teamId: string }
  /** Clients in the room by way of one process; with `asks`, the other processes publish theirs as well. */
  | { kind: "present"; teamId: string; process: string; count: number; asks: boolean };

export interface RoomSignals {
  publish(signal: RoomSignal): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: (signal: RoomSignal) => void): () => void;
}
