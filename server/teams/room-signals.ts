import type { SwarmStatus } from "../../contract/realtime.ts";

/** Hints between the parts, and the processes, that serve one team. The rows are the truth: a lost hint only delays. */
export type RoomSignal =
  /** The log has entries from `firstSeq` on. */
  | { kind: "grown"; teamId: string; sessionId: string; firstSeq: number }
  | ({ kind: "status" } & SwarmStatus)
  /** Some signals were lost on their way: look at the rows. */
  | { kind: "missed" }
  /** A session waits for somebody to join. */
  | { kind: "waiting"; teamId: string }
  /** So many are in the room by way of that process; one that `asks` wants to hear the same of the others. */
  | { kind: "present"; teamId: string; process: string; count: number; asks: boolean };

export interface RoomSignals {
  publish(signal: RoomSignal): void;
  /** Returns the way out. */
  subscribe(listener: (signal: RoomSignal) => void): () => void;
}
