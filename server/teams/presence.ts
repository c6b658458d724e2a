import { randomUUID } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { RoomSignals } from "./room-signals.ts";

/** How many people are in a team's war room, by way of this process and of the others. */
export interface Presence {
  enter(teamId: string): void;
  leave(teamId: string): void;
  count(teamId: string): number;
  /** In this process alone. */
  countHere(teamId: string): number;
  close(): void;
}

/** Each process tells the others of its rooms so often; one that was silent for three times as long has gone. */
const TELL_EVERY_MS = 10_000;

export function createPresence(signals: RoomSignals, clock: Clock): Presence {
  const process = randomUUID();
  const here = new Map<string, number>();
  const elsewhere = new Map<string, Map<string, { count: number; until: number }>>();
  const countHere = (teamId: string): number => here.get(teamId) ?? 0;

  function tell(teamId: string, asks: boolean): void {
    signals.publish({ kind: "present", teamId, process, count: countHere(teamId), asks });
  }

  const stop = signals.subscribe((signal) => {
    if (signal.kind !== "present" || signal.process === process) return;
    const { teamId, count } = signal;
    const others = elsewhere.get(teamId) ?? new Map<string, { count: number; until: number }>();
    if (count > 0) others.set(signal.process, { count, until: clock.monotonic() + 3 * TELL_EVERY_MS });
    else others.delete(signal.process);
    if (others.size > 0) elsewhere.set(teamId, others);
    else elsewhere.delete(teamId);
    if (signal.asks && here.has(teamId)) tell(teamId, false);
  });
  const timer = setInterval(() => {
    for (const teamId of here.keys()) tell(teamId, false);
    for (const [teamId, others] of elsewhere) {
      for (const [name, { until }] of others) if (until <= clock.monotonic()) others.delete(name);
      if (others.size === 0) elsewhere.delete(teamId);
    }
  }, TELL_EVERY_MS).unref();

  return {
    countHere,
    enter(teamId) {
      const first = !here.has(teamId);
      here.set(teamId, countHere(teamId) + 1);
      tell(teamId, first);
    },
    leave(teamId) {
      if (countHere(teamId) > 1) here.set(teamId, countHere(teamId) - 1);
      else here.delete(teamId);
      tell(teamId, false);
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
