import { Counter, Gauge, type Registry } from "prom-client";
import { type Limit, LIMITS, type LimitName } from "../../contract/limits.ts";
import type { AppError } from "../lib/errors.ts";
import { createFairQueue, type FairQueue } from "../lib/fair-queue.ts";
import { limitReached, type RefusalOptions } from "./limit-reached.ts";

export type LimitValues = Readonly<Record<LimitName, number>>;

/** What an owner uses of one limit. */
export type UsageReport = (ownerId: string) => number | Promise<number>;

export interface ShareOptions {
  /** The name of the share in metrics. */
  share: string;
  slots: number;
  urgentSlots?: number;
  /** The limit on running jobs of one owner, or their number if the keys are not owners. */
  perKey: LimitName | number;
  /** The limit on waiting jobs of one key. */
  waiting?: LimitName;
}

/** A full queue is rarely empty in a shorter time. */
const WAIT_SECONDS = 5;

export type Limits = ReturnType<typeof createLimits>;

/** Decides what an owner may use at once and in total; every part that works, waits or stores asks it. */
export function createLimits(values: LimitValues, registry: Registry) {
  const reports = new Map<LimitName, UsageReport>();
  const queues = new Map<string, FairQueue>();
  const refusals = new Counter({
    name: "baton_limit_refusals_total",
    help: "Work refused because a limit was reached, by limit",
    labelNames: ["limit"],
    registers: [registry],
  });
  collectShares(registry, queues);

  function refuse(name: LimitName, message: string, options?: RefusalOptions): AppError {
    refusals.inc({ limit: name });
    return limitReached(name, message, options);
  }

  return {
    /** 0: no limit. */
    max: (name: LimitName): number => values[name],

    /** True when `use` is more than the limit allows. */
    exceeds: (name: LimitName, use: number): boolean => values[name] > 0 && use > values[name],

    /** The error to throw when a limit is reached; counted in the metrics. */
    refuse,

    /** Counts a refusal that was raised without this object: sizes are checked deep inside pure functions. */
    countRefusal: (name: LimitName): void => refusals.inc({ limit: name }),

    /** A queue that takes the jobs of its keys in turn. */
    share({ share, perKey, waiting = "waiting_jobs", ...options }: ShareOptions): FairQueue {
      const queue = createFairQueue({
        ...options,
        slotsPerKey: typeof perKey === "number" ? perKey : values[perKey],
        waitingPerKey: values[waiting],
        refuse: () =>
          refuse(waiting, `${values[waiting]} jobs of yours wait for ${share} already.`, {
            retryAfterSeconds: WAIT_SECONDS,
          }),
      });
      queues.set(share, queue);
      if (typeof perKey !== "number") reports.set(perKey, (ownerId) => queue.running(ownerId));
      return queue;
    },

    /** Registers how much of a limit an owner uses, for `GET /api/limits`. */
    reports: (name: LimitName, report: UsageReport): void => void reports.set(name, report),

    usage: (ownerId: string): Promise<Limit[]> =>
      Promise.all(
        LIMITS.map(async (limit) => ({
          ...limit,
          limit: values[limit.name],
          used: (await reports.get(limit.name)?.(ownerId)) ?? null,
        })),
      ),
  };
}

function collectShares(registry: Registry, queues: ReadonlyMap<string, FairQueue>): void {
  const gauges = [
    ["running", "Jobs of a share that run in this process"],
    ["waiting", "Jobs of a share that wait in this process"],
  ] as const;
  for (const [state, help] of gauges) {
    const gauge: Gauge<"share"> = new Gauge({
      name: `baton_share_${state}`,
      help,
      labelNames: ["share"],
      registers: [registry],
      collect() {
        for (const [share, queue] of queues) gauge.set({ share }, queue[state]());
      },
    });
  }
}
