import type { LogLine } from "../../contract/step-log.ts";
import type {
  AttemptEntry,
  EntryHead,
  JournalEntry,
  RerunEntry,
  StatusEntry,
  StepEntry,
} from "./journal/journal-entry.ts";
import type { ApprovalStore, OpenApproval } from "./approval-store.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { EngineTask, TaskOptions } from "./tasks/engine-task.ts";
import type { Idempotency, StepError, Task, TaskStatus, Trigger } from "./tasks/task.ts";

/** What happens to a task when the task whose step started it fails or is cancelled. */
export type OnParentEnd = "cancel" | "continue";

/** The webhook call that starts a task. It is stored with the task in one write, or not at all. */
export interface TaskDelivery {
  id: string;
  webhookId: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[]>>;
  /** JSON text. */
  body: string;
  createdAt: number;
}

export interface NewTask extends EngineTask {
  status: "running" | "queued";
  workerId: string | null;
  runAt: number | null;
  /** The JSON text of the input: a large one is serialised in turns of the event loop before the write. */
  inputJson?: string | undefined;
  idempotency: Idempotency | undefined;
  onParentEnd?: OnParentEnd | undefined;
  delivery?: TaskDelivery | undefined;
  /** Results copied from the replayed task. */
  entries: JournalEntry[];
}

/** `taskId` is null when the parent had ended: no task was made. */
export type Accepted =
  | { inserted: true }
  | { inserted: false; taskId: string | null; bodyHash: string | null };

export interface TaskChange {
  status: TaskStatus;
  runAt: number | null;
  /** When parking: the `wake` value that the run has seen. */
  seenWake: number | null;
  result: string | null;
  resultRef: string | null;
  error: (StepError & { stepId?: string }) | null;
  completedAt: number | null;
}

/** Runs that count together for a limit. */
export interface RunGroup {
  key: string;
  limit: number;
  whenFull: "queue" | "skip" | "replace";
  maxWaiting: number;
}

/** `existing` is the task that holds the idempotency key; without one the group was full. */
export type GroupEntry = { entered: true } | { entered: false; existing: Accepted };

/** A step that waits for an event. */
export interface OpenEventWait {
  path: string;
  name: string;
  key: string;
  dueAt: number | null;
}

/** What ended the wait of a step: an event, or its time limit. */
export interface ReceivedEvent {
  /** JSON; null for a timeout. */
  data: string | null;
  receivedAt: number;
  timedOut: boolean;
}

/** One durable write of a run: entries, and the task's row when its status changes with them. */
export interface RunWrite {
  task: Pick<EngineTask, "id" | "epoch" | "ownerId">;
  entries: JournalEntry[];
  change?: TaskChange;
  openApproval?: OpenApproval;
  openEventWait?: OpenEventWait;
  /** Paths whose approval or event is now in the journal, or no longer needed. */
  closedWaits?: string[];
  /** The parent whose step waits for this task. */
  wakeTask?: string;
  /** Stored with the failure: a workflow that runs because of it. */
  reportFailure?: boolean;
}

export interface StoredOutput {
  path: string;
  output: string | null;
  outputRef: string | null;
}

/** A large result is stored as a blob. */
export interface StoredTask extends Task {
  options: TaskOptions | null;
  resultRef: string | null;
}

/** A stored task without its input. */
export type TaskState = Omit<StoredTask, "input">;

/** A cancelled task and its last journal entry. */
export interface CancelledTask {
  taskId: string;
  lane: string;
  trigger: Trigger;
  entry: StatusEntry;
}

/** The log lines of one entry. */
export interface EntryLogs {
  seq: number;
  path: string;
  lines: readonly LogLine[];
}

/** What the engine stores: tasks, journals, approvals, waits and groups. */
export interface EngineStore extends ApprovalStore, TaskQueue {
  /**
   * Durable when it resolves, together with the first write of its run. An idempotency key or a parent's step makes one
   * task only, and a parent that has ended makes none.
   */
  accept(task: NewTask, first?: Omit<RunWrite, "task">): Promise<Accepted>;
  /** False when the task has a newer epoch: no part of the write was stored. */
  record(write: RunWrite): Promise<boolean>;
  /** The journal without payloads, after `afterSeq` if given. */
  heads(taskId: string, afterSeq?: number, limit?: number): Promise<EntryHead[]>;
  /** Entries of the task's own steps. Of loop iterations, which may be thousands, only those that report usage. */
  ownEntries(taskId: string): Promise<JournalEntry[]>;
  /** The journal with payloads, after `afterSeq`. */
  entries(taskId: string, afterSeq: number, limit: number): Promise<JournalEntry[]>;
  /** The log lines of ended attempts in the entries after `afterSeq` up to `lastSeq`, oldest first. */
  logs(taskId: string, afterSeq: number, lastSeq: number): Promise<EntryLogs[]>;
  /** The number of the last entry, 0 for an empty journal. */
  lastSeq(taskId: string): Promise<number>;
  /** Ended attempts of a step before `beforeSeq`, newest first. */
  attempts(
    taskId: string,
    path: string,
    beforeSeq: number,
    limit: number,
  ): Promise<(AttemptEntry | StepEntry)[]>;
  /** Outputs of ended steps, from the newest entry of each path. */
  outputs(taskId: string, paths: readonly string[]): Promise<StoredOutput[]>;
  /** The size of these outputs, without loading them. */
  outputBytes(taskId: string, paths: readonly string[]): Promise<number>;
  /** Outputs of the final steps whose path starts with `prefix`, oldest first. */
  finalOutputs(taskId: string, prefix: string): Promise<StoredOutput[]>;
  /** Their size, without loading them. */
  finalOutputBytes(taskId: string, prefix: string): Promise<number>;
  /** The items that a foreach has fixed last. */
  items(taskId: string, path: string): Promise<StoredOutput | undefined>;

  /** Inserts the task into its group, in one write: due when the group has room, waiting otherwise, or not at all. */
  enterGroup(task: NewTask, group: RunGroup): Promise<GroupEntry>;
  /** Makes waiting members due in up to `limit` groups in which members have ended; returns the number of groups. */
  promoteGroups(limit: number, now: number): Promise<number>;
  /** Tasks that newer members have replaced and that have not ended. */
  replacedTasks(limit: number): Promise<string[]>;

  /** The event of a waiting step. Takes the oldest kept one for its name and key, or its resume URL, unless it has one. */
  receiveEvent(taskId: string, path: string, now: number): Promise<ReceivedEvent | undefined>;
  /** Ends the wait without an event, unless one has arrived. */
  expireEventWait(taskId: string, path: string, now: number): Promise<void>;

  /** Number of tasks that descend from this one, at most `limit`. */
  countDescendants(rootTaskId: string, limit: number): Promise<number>;
  /** Number of due tasks of the owner in the lane of tasks, at most `limit`. */
  countDue(ownerId: string, limit: number, now: number): Promise<number>;
  /** The task that a step of this task has started. */
  childId(taskId: string, path: string): Promise<string | undefined>;
  /**
   * Cancels a task and the unfinished tasks below it, also below ended ones, except those that continue without their
   * parent. Returns the cancelled ones, none when it had ended before.
   */
  cancel(taskId: string, now: number): Promise<CancelledTask[]>;
  /**
   * Takes a task from the process that runs it until the given time, so that it does not react to tasks below it being
   * cancelled; undefined, and nothing is done, when it has ended or fewer than `minOpen` open tasks end with it.
   */
  hold(taskId: string, minOpen: number, until: number): Promise<Pick<EngineTask, "id" | "epoch"> | undefined>;
  /**
   * Fails a task that started too many others and cancels up to `limit` of these, at all levels. Returns the tasks that
   * ended; none when all have.
   */
  failTree(rootTaskId: string, error: StepError, limit: number, now: number): Promise<CancelledTask[]>;
  /** Cancels the tasks below this one in the same way, unless it has a newer epoch. When there are more, returns `limit` of them. */
  cancelDescendants(
    task: Pick<EngineTask, "id" | "epoch">,
    limit: number,
    now: number,
  ): Promise<CancelledTask[]>;
  /**
   * Makes an ended task due again; false when its status is not `expected`. Tasks that iterations of a restarted loop had
   * started belong to it no longer, so that each iteration starts a new one.
   */
  reopen(
    taskId: string,
    expected: TaskStatus,
    entry: RerunEntry,
    version: number,
    now: number,
  ): Promise<boolean>;
  task(taskId: string): Promise<StoredTask | undefined>;
  /** Does not read an input that is stored apart from its row: it may have megabytes. */
  state(taskId: string): Promise<TaskState | undefined>;
}
