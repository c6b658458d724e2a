import { randomUUID } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { RoomSignals } from "./room-signals.ts";

/** The number of clients in a team's war room, over all processes. */
export interface Presence {
  enter(teamId: string): void;
  leave(teamId: string): void;
  count(teamId: string): number;
  /** Clients of this process only. */
  countHere(teamId: string): number;
  close(): void;
}

/** Each process publishes its counts at this interval; the counts of one silent for three intervals are dropped. */
const HEARTBEAT_MS = 10_000;

export function createPresence(signals: RoomSignals, clock: Clock): Presence {
  const process = randomUUID();
  const here = new Map<string, number>();
  const elsewhere = new Map<string, Map<string, { count: number; until: number }>>();
  const countHere = (teamId: string): number => here.get(teamId) ?? 0;

  function publish(teamId: string, asks: boolean): void {
    signals.publish({ kind: "present", teamId, process, count: countHere(teamId), asks });
  }

  const stop = signals.subscribe((signal) => {
    if (signal.kind !== "present" || signal.process === process) return;
    const { teamId, count } = signal;
    const others = elsewhere.get(teamId) ?? new Map<string, { count: number; until: number }>();
    if (count > 0) others.set(signal.process, { count, until: clock.monotonic() + 3 * HEARTBEAT_MS });
    else others.delete(signal.process);
    if (others.size > 0) elsewhere.set(teamId, others);
    else elsewhere.delete(teamId);
    if (signal.asks && here.has(teamId)) publish(teamId, false);
  });
  const timer = setInterval(() => {
    for (const teamId of here.keys()) publish(teamId, false);
    for (const [teamId, others] of elsewhere) {
      for (const [name, { until }] of others) if (until <= clock.monotonic()) others.delete(name);
      if (others.size === 0) elsewhere.delete(teamId);
    }
  }, HEARTBEAT_MS).unref();

  return {
    countHere,
    enter(teamId) {
      const isFirst = !here.has(teamId);
      here.set(teamId, countHere(teamId) + 1);
      publish(teamId, isFirst);
    },
    leave(teamId) {
      if (countHere(teamId) > 1) here.set(teamId, countHere(teamId) - 1);
      else here.delete(teamId);
      publish(teamId, false);
    },
    count(teamId) {
      let sum = countHere(teamId);
      for (const { count, until } of elsewhere.get(teamId)?.values() ?? [])
        if (until > clock.monotonic()) sum += count;
      return sum;
    },
    close() {
      clearInterval(timer);
      stop();
    },
  };
}
