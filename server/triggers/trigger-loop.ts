import type { StoredTriggerKind } from "../../contract/triggers.ts";
import type { Engine } from "../engine/engine-api.ts";
import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import { workflowPaused } from "../workflows/paused.ts";
import { inSpan, type Span, type Tracing } from "../telemetry/tracing.ts";
import { pauseAfter } from "./backoff.ts";
import { CHECK_TIMEOUT_MS, ITEMS_PER_CHECK, type TriggerSource } from "./source.ts";
import type { ClaimedTrigger, PendingItem, TriggerClaims } from "./trigger-claims.sql.ts";
import type { TriggerRecord } from "./trigger.sql.ts";

export interface TriggerLoopDeps {
  claims: TriggerClaims;
  /** The source of a trigger that checks one. */
  sourceOf(kind: StoredTriggerKind): TriggerSource<StoredTriggerKind> | undefined;
  engine: Pick<Engine, "start">;
  /** The newest version; undefined when the workflow was deleted. */
  currentWorkflow(workflowId: string, ownerId: string): Promise<CurrentWorkflow | undefined>;
  clock: Clock;
  /** Undefined while tracing is off. */
  tracing?: Tracing | undefined;
  /** 0: no limit. */
  checksPerOwner: number;
  onError(error: unknown, what: string): void;
}

/** Checks of all owners that a process runs at once. Most of their time they wait for the network. */
const SLOTS = 16;
const SHORTEST_PAUSE_MS = 1000;
/** After these checks a source that always has more items pauses: it must not keep a slot forever. */
const CHECKS_IN_A_ROW = 5;
const PAUSE_WITH_MORE_MS = 60_000;
const LONGEST_INTERVAL_SECONDS = 86_400;
/** The longest pause that a vendor can ask for: a longer one would stop the trigger in practice. */
const LONGEST_VENDOR_PAUSE_MS = 24 * 3600 * 1000;
/** Six hours apart after the first few. */
const MAX_RELEASES = 60;

/**
 * Checks due triggers and starts a run for each item. A check stores its items together with its position, then starts
 * them with the item's key, then ends its claim: after a crash anywhere in between, the next claim starts what is missing.
 */
export function createTriggerLoop(deps: TriggerLoopDeps): DueLoop {
  const { claims, sourceOf, engine, currentWorkflow, clock, tracing, checksPerOwner, onError } = deps;
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  /** Checks in a row, of triggers whose source had more. */
  const inARow = new Map<string, number>();

  function nextCheck(trigger: ClaimedTrigger, hasMore: boolean): number {
    const interval = intervalOf(trigger) * 1000;
    const count = (inARow.get(trigger.id) ?? 0) + 1;
    if (hasMore && count < CHECKS_IN_A_ROW) {
      inARow.set(trigger.id, count);
      return clock.now();
    }
    inARow.delete(trigger.id);
    return clock.now() + (hasMore ? Math.min(interval, PAUSE_WITH_MORE_MS) : interval);
  }

  async function startPending(trigger: ClaimedTrigger, workflow: CurrentWorkflow): Promise<void> {
    async function start({ key, input }: PendingItem): Promise<string> {
      const { taskId } = await engine.start({
        workflow,
        trigger: trigger.kind,
        input,
        // Nobody could correct an item that a newer input schema refuses.
        inputUnchecked: true,
        idempotency: { scope: `trigger:${trigger.id}`, key, bodyHash: "", matchesAnyBody: true },
      });
      return taskId;
    }

    for (;;) {
      const pending = await claims.pending(trigger.id, ITEMS_PER_CHECK);
      for (const item of pending) await claims.started(item.id, item.taskId ?? (await start(item)));
      if (pending.length < ITEMS_PER_CHECK) return;
    }
  }

  /** True when the source has more. */
  async function check(trigger: ClaimedTrigger, workflow: CurrentWorkflow): Promise<boolean> {
    await startPending(trigger, workflow);
    const deadline = createDeadline(CHECK_TIMEOUT_MS, {
      outer: stopping.signal,
      reason: () =>
        new AppError("request_timeout", `The check did not end within ${CHECK_TIMEOUT_MS / 1000} seconds.`),
      outerReason: () => new AppError("unavailable", "The service is stopping."),
    });
    try {
      const { items, position, hasMore, secrets } = await deadline.race(
        sourceOf(trigger.kind)!.check(trigger, {
          signal: deadline.signal,
          knownKeys: (keys) => claims.knownKeys(trigger.id, keys),
        }),
      );
      if (!(await claims.record(trigger, { items, position, secrets, now: clock.now() }))) return false;
      if (items.length > 0) await startPending(trigger, workflow);
      return hasMore;
    } finally {
      deadline.clear();
    }
  }

  /** A source that cannot be reached is tried for two weeks at least; then the vendor keeps what nobody can end. */
  async function release(trigger: ClaimedTrigger): Promise<void> {
    const deadline = createDeadline(CHECK_TIMEOUT_MS, {
      outer: stopping.signal,
      outerReason: () => new AppError("unavailable", "The service is stopping."),
    });
    try {
      await deadline.race(sourceOf(trigger.kind)?.release?.(trigger, deadline.signal) ?? Promise.resolve());
    } catch (error) {
      if (isStopping(error) || trigger.failures < MAX_RELEASES) throw error;
    } finally {
      deadline.clear();
    }
    await claims.released(trigger, clock.now());
  }

  async function run(trigger: ClaimedTrigger): Promise<void> {
    try {
      const workflow = await currentWorkflow(trigger.workflowId ?? "", trigger.ownerId);
      // The workflow was deleted: pausing the trigger shows that it no longer runs.
      if (workflow === undefined || !trigger.active) return await release(trigger);
      if (!workflow.isActive) throw workflowPaused();
      const hasMore = await (tracing === undefined
        ? check(trigger, workflow)
        : inSpan(tracing, startSpan(tracing, trigger), () => check(trigger, workflow), codeOf));
      const next = nextCheck(trigger, hasMore);
      await claims.finish(trigger, { now: clock.now(), next, failures: 0, error: null, staysDue: true });
    } catch (error) {
      inARow.delete(trigger.id);
      if (isStopping(error)) return claims.release(trigger);
      await fail(trigger, error);
    }
  }

  async function fail(trigger: ClaimedTrigger, thrown: unknown): Promise<void> {
    const known = thrown instanceof AppError ? thrown : undefined;
    if (known === undefined) onError(thrown, "checking a trigger");
    const now = clock.now();
    // Neither a paused workflow nor a disabled account is a fault of the source: its triggers continue at the next interval.
    const isPaused = known?.code === "workflow_paused" || known?.code === "account_disabled";
    const failures = isPaused ? 0 : trigger.failures + 1;
    const askedMs = Math.min(known?.retryAfterMs ?? 0, LONGEST_VENDOR_PAUSE_MS);
    const pause = Math.max(pauseAfter(intervalOf(trigger), failures), askedMs);
    await claims.finish(trigger, {
      now,
      next: now + pause,
      failures,
      error: {
        at: now,
        code: codeOf(thrown),
        message: known?.message ?? "The check failed with an internal error.",
      },
    });
  }

  const loop = createDueLoop({
    clock,
    /** Does not wait for the checks: a slow source holds one slot and nothing else. */
    async takeDue() {
      const limit = SLOTS - running.size;
      if (limit === 0) return true;
      const claimed = await claims.claim(clock.now(), { limit, perOwner: checksPerOwner });
      for (const trigger of claimed) {
        const ended = run(trigger)
          .catch((error: unknown) => onError(error, "ending the check of a trigger"))
          .finally(() => {
            running.delete(ended);
            loop.poll();
          });
        running.add(ended);
      }
      return running.size === SLOTS;
    },
    async nextDue() {
      const due = await claims.nextDueAt();
      // A trigger whose owner has no check left stays due: it must not be asked for again at once.
      return due === null ? null : Math.max(due, clock.now() + SHORTEST_PAUSE_MS);
    },
    onError: (error) => onError(error, "claiming due triggers"),
  });

  return {
    poll: loop.poll,
    async close() {
      stopping.abort();
      await loop.close();
      await Promise.all(running);
    },
  };
}

/** The requests of a check and the runs that it starts are below it. */
function startSpan(tracing: Tracing, { id, kind, workflowId }: ClaimedTrigger): Span {
  const attributes = {
    "baton.trigger.id": id,
    "baton.trigger.kind": kind,
    "baton.workflow.id": workflowId ?? undefined,
  };
  return tracing.start(`check ${kind}`, { parent: null, attributes });
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : "internal_error";
}

function intervalOf({ settings }: TriggerRecord): number {
  return "intervalSeconds" in settings ? settings.intervalSeconds : LONGEST_INTERVAL_SECONDS;
}

/** The service is stopping: the trigger stays due for the next process. */
function isStopping(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}
