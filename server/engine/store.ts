import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type {
  AttemptEntry,
  EntryHead,
  JournalEntry,
  RerunEntry,
  StatusEntry,
  StepEntry,
} from "./journal/journal-entry.ts";
import type { Idempotency, StepError, Task, TaskStatus, Trigger } from "./tasks/task.ts";

/** What a task was asked to do beside its workflow. */
export interface TaskOptions {
  /** Run only these steps. */
  stepIds?: string[];
  /** Outputs of steps that do not run themselves. */
  outputs?: Record<string, JsonValue>;
  responseStepId?: string;
}

/** A task as the engine holds it while running. */
export interface EngineTask {
  id: string;
  ownerId: string;
  /** Whose places it takes while it is worked on. */
  lane: string;
  workflowId: string;
  workflowVersion: number;
  trigger: Trigger;
  input: JsonValue;
  options: TaskOptions | null;
  parentTaskId: string | null;
  parentStep: string | null;
  depth: number;
  /** Raised by every claim: whoever holds an older one can record nothing. */
  epoch: number;
  /** Raised by everything that may end a wait; parking with an older one means: look again at once. */
  wake: number;
  createdAt: number;
  startedAt: number | null;
  /** Its journal is known to be empty. */
  isBlank?: boolean;
}

export interface NewTask extends EngineTask {
  status: "running" | "queued";
  workerId: string | null;
  runAt: number | null;
  idempotency: Idempotency | undefined;
  /** Results that a replay brings along. */
  entries: JournalEntry[];
}

/** Without a task: its parent has ended, so that nobody waits for it. */
export type Accepted =
  | { inserted: true }
  | { inserted: false; taskId: string | null; bodyHash: string | null };

export interface TaskChange {
  status: TaskStatus;
  runAt: number | null;
  /** When parking: the `wake` that the run has seen. */
  seenWake: number | null;
  result: string | null;
  resultRef: string | null;
  error: (StepError & { stepId?: string }) | null;
  completedAt: number | null;
}

export interface OpenApproval {
  path: string;
  message: string;
}

/** An approval that a task waits for, itself or through a sub-workflow. */
export interface PendingDecision {
  taskId: string;
  path: string;
}

/** One durable write of a run: entries, and the task's own row when its status moves with them. */
export interface RunWrite {
  task: Pick<EngineTask, "id" | "epoch" | "ownerId">;
  entries: JournalEntry[];
  change?: TaskChange;
  openApproval?: OpenApproval;
  /** Decisions that are now in the journal. */
  consumedApprovals?: string[];
  /** The task whose step waits for this one. */
  wakeTask?: string;
}

export interface ApprovalDecision {
  decision: "approve" | "reject" | "timeout";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  decidedAt: number;
}

export interface StoredOutput {
  path: string;
  output: string | null;
  outputRef: string | null;
}

/** A large result stands beside the row. */
export interface StoredTask extends Task {
  options: TaskOptions | null;
  resultRef: string | null;
}

/** How the journal says that a task was cancelled. */
export interface CancelledTask {
  taskId: string;
  entry: StatusEntry;
}

export interface EngineStore {
  /**
   * Durable when it resolves, together with what its run has come to already. A task that an idempotency key or a
   * parent's step has made before is not made twice, and none is made for a parent that has ended.
   */
  accept(task: NewTask, first?: Omit<RunWrite, "task">): Promise<Accepted>;
  /** False when the task's epoch has moved on: nothing of the write was stored. */
  record(write: RunWrite): Promise<boolean>;
  /** The journal without its payloads; from after `afterSeq` on, when that is given. */
  heads(taskId: string, afterSeq?: number, limit?: number): Promise<EntryHead[]>;
  /** What the journal says of the task's own steps; of the rounds of its loops, which may be thousands, only what they used. */
  ownEntries(taskId: string): Promise<JournalEntry[]>;
  /** The journal with its payloads, from after `afterSeq` on. */
  entries(taskId: string, afterSeq: number, limit: number): Promise<JournalEntry[]>;
  /** The number of the last entry, 0 without any. */
  lastSeq(taskId: string): Promise<number>;
  /** How each try of a step ended, newest first, before `beforeSeq`. */
  attempts(
    taskId: string,
    path: string,
    beforeSeq: number,
    limit: number,
  ): Promise<(AttemptEntry | StepEntry)[]>;
  /** Outputs of ended steps by path, newest entry of each. */
  outputs(taskId: string, paths: readonly string[]): Promise<StoredOutput[]>;
  /** Outputs of the final steps whose path begins with `prefix`, oldest first. */
  finalOutputs(taskId: string, prefix: string): Promise<StoredOutput[]>;
  /** The list that a foreach has fixed. */
  items(taskId: string, path: string): Promise<StoredOutput | undefined>;

  /** Takes over tasks of a lane that are due, raising their epoch; the lane of tasks unless another is named. */
  claimDue(workerId: string, limit: number, now: number, lane?: string): Promise<EngineTask[]>;
  /** How many tasks of a lane are due, as far as `limit`. */
  countDue(limit: number, now: number, lane?: string): Promise<number>;
  /** When the next task of the lane is due, if any. */
  nextDue(lane?: string): Promise<number | null>;
  /** What is due and not taken up, and what belongs to nobody who is alive. Without a lease all of it is ours. */
  backlog(
    now: number,
    leaseMs: number | undefined,
  ): Promise<{ due: number; oldestDueAt: number | null; stuck: number }>;
  /** Ends a wait: a parked task becomes due at once, a running one will look again before it parks. */
  wake(taskId: string, now: number): Promise<void>;
  /**
   * Tasks of processes that are gone become due. One that was there when `maxCrashes` of them died, without getting any
   * further, is returned as poisoned; one that is a death away from that is held back until `claimQuarantined`.
   */
  recover(
    deadWorkers: "all" | number,
    maxCrashes: number,
    now: number,
  ): Promise<{ poisoned: EngineTask[]; quarantined: string[]; recovered: number }>;
  /** Takes over a task that `recover` has held back; undefined when it is no longer. */
  claimQuarantined(workerId: string, taskId: string, now: number): Promise<EngineTask | undefined>;
  heartbeat(workerId: string, now: number): Promise<void>;
  /** What says that it is worked on by this process. */
  ownTasks(workerId: string): Promise<Pick<EngineTask, "id" | "epoch">[]>;
  /** Whoever holds another one has lost the task. */
  epoch(taskId: string): Promise<number | undefined>;
  /** Hands one task back that this process has stopped working on; nothing happens when it is no longer its own. */
  releaseTask(task: Pick<EngineTask, "id" | "epoch">, now: number): Promise<void>;
  /** Hands the tasks of this process back, without counting it as one of their lives. */
  release(workerId: string, now: number): Promise<void>;

  /** The first decision counts; false when there is nothing to decide (any more). */
  decide(taskId: string, path: string, decision: ApprovalDecision): Promise<boolean>;
  decision(taskId: string, path: string): Promise<ApprovalDecision | undefined>;
  /** Of the task and of the sub-workflows it waits for; its own first, then the oldest. */
  openApprovals(taskId: string): Promise<PendingDecision[]>;

  /** The task that a step of this one has started. */
  childId(taskId: string, path: string): Promise<string | undefined>;
  /** Ends a task and everything it started that has not ended; returns how, nothing when it had ended before. */
  cancel(taskId: string, now: number): Promise<CancelledTask[]>;
  /** Opens an ended task again; false when its status is no longer the expected one. */
  reopen(
    taskId: string,
    expected: TaskStatus,
    entry: RerunEntry,
    version: number,
    now: number,
  ): Promise<boolean>;
  task(taskId: string): Promise<StoredTask | undefined>;
}
