import type { Explanation, UnrecordedEffect } from "./effects.ts";

/** A running task was taken from its process: by another one after the lease, or released by itself. */
export interface Loss {
  taskId: string;
  at: number;
  /** The member of the cluster that ran the task. */
  owner: string;
  /** Time since the owner's last heartbeat; null when it is unknown. */
  silentMs: number | null;
}

/** When a member sent a heartbeat and when the server stored it. */
export interface Heartbeat {
  member: string;
  sent: number;
  at: number;
}

export interface TimedFault {
  kind: string;
  /** Undefined when it hits the database, and so every member. */
  member: string | undefined;
  from: number;
  until: number;
}

/** Within this time after it continues, a suspended process has sent its pending calls. */
const RESUMED_MS = 1000;
const SILENCING = new Set(["stop", "stall", "cut"]);

/**
 * An effect may be repeated when its process was killed before the record, or was silent for a whole lease so that
 * another process took the task over. An outage of the database silences everyone: only the silence after it counts.
 */
export function explainByLosses(
  losses: readonly Loss[],
  faults: readonly TimedFault[],
  leaseMs: number,
): (effect: UnrecordedEffect) => Explanation | undefined {
  const byTask = new Map<string, Loss[]>();
  for (const loss of losses) byTask.set(loss.taskId, [...(byTask.get(loss.taskId) ?? []), loss]);

  function causeOf({ at, owner, silentMs }: Loss, since: number): Explanation | undefined {
    const ofOwner = faults.filter(({ member, from }) => member === owner && from <= at);
    if (ofOwner.some(({ kind, from }) => kind === "kill" && from >= since - RESUMED_MS)) return "killed";
    if (silentMs !== null && silentMs < leaseMs) return undefined;
    if (ofOwner.some(({ kind, until }) => SILENCING.has(kind) && until >= since)) return "taken over";
    if (silentMs === null) return undefined;
    const silentSince = at - silentMs;
    const outages = faults.filter(
      ({ member, from, until }) => member === undefined && from <= at && until >= silentSince,
    );
    const databaseBackAt = Math.max(silentSince, ...outages.map(({ until }) => until));
    // A process that an overloaded machine kept from running for a whole lease.
    return at - databaseBackAt >= leaseMs ? "taken over" : undefined;
  }

  /** Sent before a suspension, arrived after it, while a peer ran the task. */
  function wasInFlight({ at, owner }: Loss, times: readonly number[]): boolean {
    return faults.some(
      ({ kind, member, from, until }) =>
        SILENCING.has(kind) &&
        member === owner &&
        at >= from &&
        at <= until + RESUMED_MS &&
        times.some((time) => time >= until && time < until + RESUMED_MS),
    );
  }

  return ({ taskId, arrivedAt, againAt = Infinity, isAfterRecord }) => {
    const ofTask = byTask.get(taskId) ?? [];
    for (const loss of isAfterRecord ? [] : ofTask) {
      if (loss.at < arrivedAt || loss.at > againAt) continue;
      const cause = causeOf(loss, arrivedAt);
      if (cause !== undefined) return cause;
    }
    return ofTask.some((loss) => wasInFlight(loss, [arrivedAt, againAt])) ? "in flight" : undefined;
  };
}

/** Before the loss of a task, what its report needs. */
const BEFORE_LOSS_MS = 10_000;

/** Who lost the task and when, with the faults and heartbeats around it: what an unexplained repetition needs. */
export function describeLosses(
  losses: readonly Loss[],
  faults: readonly TimedFault[],
  heartbeats: readonly Heartbeat[],
): (taskId: string) => string {
  const describe = ({ at, owner, silentMs }: Loss): string => {
    const since = at - BEFORE_LOSS_MS;
    const ms = (time: number): string => `${time - at}`;
    const near = faults.filter(({ from, until }) => until >= since && from <= at);
    const beats = heartbeats.filter((beat) => beat.at >= since && beat.at <= at + 1000);
    return [
      `; ${owner} lost it at ${at}, silent for ${silentMs} ms; milliseconds from then:`,
      ...near.map(({ kind, member, from, until }) => ` ${kind} ${member ?? ""} ${ms(from)} to ${ms(until)};`),
      ...beats.map(({ member, sent, at: stored }) => ` ${member} beat ${ms(sent)}, stored ${ms(stored)};`),
    ].join("");
  };
  return (taskId) =>
    losses
      .filter((loss) => loss.taskId === taskId)
      .map(describe)
      .join("");
}
