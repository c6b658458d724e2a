import { Counter, Gauge, type Registry } from "prom-client";
import { type Limit, LIMITS, type LimitName, type WorkspaceLimitName } from "../../contract/limits.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createFairQueue, type FairQueue } from "../lib/fair-queue.ts";
import { createHourlyBudget } from "./hourly-budget.ts";
import { limitReached, type RefusalOptions } from "./limit-reached.ts";
import { createConnectionCount } from "./open-streams.ts";

export type LimitValues = Readonly<Record<LimitName, number>>;

/** What the administrator set for one workspace. */
export type WorkspaceLimits = Readonly<Partial<Record<WorkspaceLimitName, number>>>;

/** The names of the limits that need an owner, and all others, as arguments. */
type OfOwner<Name extends LimitName> = Name extends WorkspaceLimitName ? [ownerId: string] : [];

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
export function createLimits(
  values: LimitValues,
  registry: Registry,
  clock: Pick<Clock, "monotonic"> = systemClock,
) {
  const reports = new Map<LimitName, UsageReport>();
  const queues = new Map<string, FairQueue>();
  const refusals = new Counter({
    name: "baton_limit_refusals_total",
    help: "Work refused because a limit was reached, by limit",
    labelNames: ["limit"],
    registers: [registry],
  });
  collectShares(registry, queues);

  let workspaces: ReadonlyMap<string, WorkspaceLimits> = new Map();
  let suspended: ReadonlySet<string> = new Set();
  const valueOf = (name: LimitName, ownerId: string | undefined): number =>
    (ownerId === undefined ? undefined : workspaces.get(ownerId)?.[name as WorkspaceLimitName]) ??
    values[name];
  const isExceeded = (name: LimitName, use: number, ownerId?: string): boolean => {
    const value = valueOf(name, ownerId);
    return value > 0 && use > value;
  };

  let onRefusal: ((ownerId: string, name: LimitName) => void) | undefined;
  function refuse(name: LimitName, message: string, options: RefusalOptions = {}): AppError {
    refusals.inc({ limit: name });
    if (options.ownerId !== undefined) onRefusal?.(options.ownerId, name);
    return limitReached(name, message, options);
  }

  const ofOwner = createConnectionCount();
  const ofAddress = createConnectionCount();
  reports.set("streams", ofOwner.of);

  function assertMayOpenStream(ownerId: string, address: string | undefined): void {
    if (isExceeded("streams", ofOwner.of(ownerId) + 1))
      throw refuse(
        "streams",
        `Your workspace has ${values.streams} open streams and sockets. Close some of them.`,
      );
    if (address !== undefined && isExceeded("address_streams", ofAddress.of(address) + 1))
      throw refuse(
        "address_streams",
        `Your address has ${values.address_streams} open streams and sockets. Close some of them.`,
      );
  }

  return {
    /** 0: no limit. */
    max: <Name extends LimitName>(name: Name, ...[ownerId]: OfOwner<Name>): number => valueOf(name, ownerId),

    /** True when `use` is more than the limit allows. */
    exceeds: <Name extends LimitName>(name: Name, use: number, ...[ownerId]: OfOwner<Name>): boolean =>
      isExceeded(name, use, ownerId),

    /** Replaces what the administrator set for workspaces. */
    setWorkspaceLimits: (limits: ReadonlyMap<string, WorkspaceLimits>): void => void (workspaces = limits),

    /** Replaces the workspaces in which nothing may start: those of disabled accounts. */
    setSuspended: (ownerIds: ReadonlySet<string>): void => void (suspended = ownerIds),

    /** Called before a run or a session starts. Runs in progress continue. */
    assertNotSuspended(ownerId: string): void {
      if (suspended.has(ownerId))
        throw new AppError(
          "account_disabled",
          "The account that this belongs to is disabled, so nothing starts. Ask the administrator.",
        );
    },

    /** The error to throw when a limit is reached; counted in the metrics. */
    refuse,

    /** Called with every refusal of a workspace's work. Must not wait. */
    onRefusal: (listener: (ownerId: string, name: LimitName) => void): void => void (onRefusal = listener),

    /** Counts a refusal that was raised without this object: sizes are checked deep inside pure functions. */
    countRefusal: (name: LimitName): void => refusals.inc({ limit: name }),

    /** A queue that takes the jobs of its keys in turn. */
    share({ share, perKey, waiting = "waiting_jobs", ...options }: ShareOptions): FairQueue {
      const queue = createFairQueue({
        ...options,
        slotsPerKey: typeof perKey === "number" ? perKey : (ownerId) => valueOf(perKey, ownerId),
        waitingPerKey: values[waiting],
        refuse: (key) =>
          refuse(waiting, `${values[waiting]} jobs of yours wait for ${share} already.`, {
            retryAfterSeconds: WAIT_SECONDS,
            ...(typeof perKey === "number" ? {} : { ownerId: key }),
          }),
      });
      queues.set(share, queue);
      if (typeof perKey !== "number") reports.set(perKey, (ownerId) => queue.running(ownerId));
      return queue;
    },

    assertMayOpenStream,

    /** Counts a connection that stays open; returns the function that ends it. Throws when there are too many. */
    openStream(ownerId: string, address: string | undefined): () => void {
      assertMayOpenStream(ownerId, address);
      const ends = [ofOwner.add(ownerId), ...(address === undefined ? [] : [ofAddress.add(address)])];
      return () => ends.forEach((end) => end());
    },

    /** What an owner may use in an hour. The last use may exceed the limit; the next one is refused. */
    hourly(name: LimitName) {
      const budget = createHourlyBudget(clock);
      reports.set(name, budget.used);
      return {
        add: budget.add,
        /** Throws when nothing is left of this hour. */
        assertLeft(ownerId: string): void {
          if (!isExceeded(name, budget.used(ownerId) + 1, ownerId)) return;
          const seconds = Math.ceil(budget.resetInMs(ownerId) / 1000);
          const message = `The limit of this hour is reached: ${valueOf(name, ownerId)} ${unitOf(name)}. Try again in ${Math.ceil(seconds / 60)} minutes.`;
          throw refuse(name, message, { retryAfterSeconds: seconds, ownerId });
        },
      };
    },

    /** Registers how much of a limit an owner uses, for `GET /api/limits`. */
    reports: (name: LimitName, report: UsageReport): void => void reports.set(name, report),

    usage: (ownerId: string): Promise<Limit[]> =>
      Promise.all(
        LIMITS.map(async (limit) => ({
          ...limit,
          limit: valueOf(limit.name, ownerId),
          used: (await reports.get(limit.name)?.(ownerId)) ?? null,
        })),
      ),
  };
}

function unitOf(name: LimitName): string {
  return LIMITS.find((limit) => limit.name === name)!.unit;
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
