import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { EngineTask, RetryRequest } from "./tasks/engine-task.ts";

/** A number of tasks of one owner. */
export interface OwnerCount {
  ownerId: string;
  count: number;
}

/** An input that is not stored in the row of its task. */
export interface LargeInput {
  input: JsonValue;
  inputCharacters: number;
}

/** Which process runs which task: claims, leases, crashes and wake-ups. */
export interface TaskQueue {
  /**
   * Claims due tasks of a lane and raises their epoch: of each owner the given number, the longest due first. The default
   * lane is that of tasks. A large input is not read when `knownInput` returns it: the input of a task never changes.
   */
  claimDue(
    workerId: string,
    shares: readonly OwnerCount[],
    now: number,
    lane?: string,
    knownInput?: (taskId: string) => LargeInput | undefined,
  ): Promise<EngineTask[]>;
  /**
   * The owners of the `limit` longest due tasks of a lane, with the number of these tasks, and when the next task after
   * `now` is due.
   */
  pollDue(limit: number, now: number, lane?: string): Promise<{ due: OwnerCount[]; next: number | null }>;
  /**
   * Owners with due tasks, in the order of their ids after `afterOwner`, starting over at the end: all are returned by
   * repeated calls. One owner with a million due tasks hides no other.
   */
  furtherDueOwners(
    afterOwner: string,
    now: number,
    lane?: string,
  ): Promise<{ due: OwnerCount[]; lastOwner: string }>;
  /** Due tasks that no process has claimed, counted up to 10,000 a lane, and tasks of dead processes. Without a lease no process counts as dead. */
  backlog(
    now: number,
    leaseMs: number | undefined,
  ): Promise<{ due: number; oldestDueAt: number | null; stuck: number }>;
  /** Ends a wait: a parked task becomes due at once, a running one checks again before it parks. */
  wake(taskId: string, now: number): Promise<void>;
  /** Stores the request and ends the wait of the task; false when the task has ended. */
  requestRetry(taskId: string, request: RetryRequest): Promise<boolean>;
  /**
   * Makes tasks of dead processes due. A task that was running during `maxCrashes` crashes without progress is returned
   * as poisoned; one crash earlier it is quarantined, and only `claimQuarantined` claims it.
   */
  recover(
    deadWorkers: "all" | number,
    maxCrashes: number,
    now: number,
  ): Promise<{ poisoned: EngineTask[]; quarantined: string[]; recovered: number }>;
  /** Claims a quarantined task; undefined when it is no longer quarantined. */
  claimQuarantined(workerId: string, taskId: string, now: number): Promise<EngineTask | undefined>;
  /** Resolves with the processes that sent a heartbeat at or after `aliveSince`: all, and the others that have slots. */
  heartbeat(
    workerId: string,
    now: number,
    process?: { slots: number; aliveSince: number },
  ): Promise<{ processes: number; workers: number }>;
  /** Tasks leased to this process. */
  ownTasks(workerId: string): Promise<Pick<EngineTask, "id" | "epoch">[]>;
  /** A run with another epoch has lost the task. */
  epoch(taskId: string): Promise<number | undefined>;
  /** Makes one task of this process due again; does nothing when the task has a newer epoch. */
  releaseTask(task: Pick<EngineTask, "id" | "epoch">, now: number): Promise<void>;
  /** Makes all tasks of this process due again without counting a crash. */
  release(workerId: string, now: number): Promise<void>;
}
