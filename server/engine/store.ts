import type { Approvers, Member } from "../../contract/approvers.ts";
import type { DecisionVia } from "../../contract/approvals.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import type { LogLine } from "../../contract/step-log.ts";
import type {
  AttemptEntry,
  EntryHead,
  JournalEntry,
  RerunEntry,
  StatusEntry,
  StepEntry,
} from "./journal/journal-entry.ts";
import type { TaskTrace } from "./run-tracing.ts";
import type { Idempotency, StepError, Task, TaskStatus, Trigger } from "./tasks/task.ts";

/** A number of tasks of one owner. */
export interface OwnerCount {
  ownerId: string;
  count: number;
}

/** Options of a task in addition to its workflow. */
export interface TaskOptions {
  /** Runs only these steps. */
  stepIds?: string[];
  /** Outputs of steps that do not run. */
  outputs?: Record<string, JsonValue>;
  responseStepId?: string;
  /** It counts for a limit of its workflow: when it ends, another one may start. */
  isGrouped?: true;
  /** Its workflow names one that runs when it fails. */
  hasErrorWorkflow?: true;
  /** A step whose connection is refused waits for its repair. */
  waitsForConnections?: true;
  /** How long the task may take after it has started, waits included. */
  timeoutMs?: number;
  /** The HTTP request that started the task, for `{{trigger.…}}`. */
  request?: TriggerRequest;
  /** The conversation of a chat that the task answers, also as a task that another one started. */
  conversation?: string;
  /** Set while tracing is on. */
  trace?: TaskTrace;
}

/** An input that is not stored in the row of its task. */
export interface LargeInput {
  input: JsonValue;
  inputCharacters: number;
}

/** A person asked for the next attempt of a step before it is due; without a path, of every step that waits for one. */
export interface RetryRequest {
  path?: string;
  at: number;
}

/** A task as a run holds it. */
export interface EngineTask {
  id: string;
  ownerId: string;
  /** The lane whose slot it holds while it runs. */
  lane: string;
  workflowId: string;
  workflowVersion: number;
  trigger: Trigger;
  input: JsonValue;
  /** Size of a large input, when it was read from the database. */
  inputCharacters?: number;
  options: TaskOptions | null;
  parentTaskId: string | null;
  parentStep: string | null;
  /** The first task of a chain of calls; null when this is one. */
  rootTaskId: string | null;
  depth: number;
  /** Fencing token, raised by every claim: a write with an older epoch is not stored. */
  epoch: number;
  /** Raised by every write that may end a wait. A task that parks with an older value is due at once. */
  wake: number;
  createdAt: number;
  startedAt: number | null;
  /** Those that came before it was claimed, oldest first. */
  retryRequests?: readonly RetryRequest[];
  /** True when its journal is known to be empty. */
  isBlank?: boolean;
  /** The process that queued it, whose caller may wait for its end. */
  acceptedBy?: string | null;
}

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

export interface OpenApproval {
  path: string;
  message: string;
  /** JSON of the data shown with the question; null when there is none. */
  context: string | null;
  dueAt: number | null;
  /** Who may decide; by default every member who may approve. */
  approvers?: Approvers;
  /** By default 1. */
  requiredApprovals?: number;
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

/** The link to an open approval, and the state of the email that carries it. */
export interface ApprovalNotice {
  linkId: string;
  attempts: number;
  /** When the next attempt is due; null before the first and after the last. */
  retryAt: number | null;
  sentAt: number | null;
  error: string | null;
}

/** An approval that a task waits for, directly or through a sub-workflow. */
export interface PendingDecision {
  taskId: string;
  path: string;
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

export interface ApprovalDecision {
  decision: "approve" | "reject" | "timeout";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  decidedAt: number;
  /** How it arrived; kept in the record of decisions. */
  via?: DecisionVia;
  /** The member who decided, where one is known. The same member counts once. */
  person?: Person | undefined;
}

/** As they were named when they decided. */
export type Person = Pick<Member, "id" | "name" | "email">;

/** One decision in the record of a task. */
export interface DecisionRecord {
  id: string;
  path: string;
  decision: "approve" | "reject";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  /** Null for a decision by a link without a name, a key or another agent. */
  person: Person | null;
  via: DecisionVia;
  /** Who was shown the personal link that decided; null for a link that was sent by email, and without a link. */
  linkCreatedBy: string | null;
  at: number;
}

/** An approval until its step has ended, with the decisions made so far. */
export interface ApprovalState {
  ownerId: string;
  approvers: Approvers;
  requiredApprovals: number;
  decisions: DecisionRecord[];
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

export interface EngineStore {
  /**
   * Durable when it resolves, together with the first write of its run. An idempotency key or a parent's step makes one
   * task only, and a parent that has ended makes none.
   */
  accept(task: NewTask, first?: Omit<RunWrite, "task">): Promise<Accepted>;
  /** False when the task has a newer epoch: nothing of the write was stored. */
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

  /**
   * Records the decision. A rejection, a timeout and the last of the required approvals end the wait. False when no approval is
   * open at this path, not the one of this link, or the same person has decided.
   */
  decide(taskId: string, path: string, decision: ApprovalDecision, linkId?: string): Promise<boolean>;
  decision(taskId: string, path: string): Promise<ApprovalDecision | undefined>;
  approval(taskId: string, path: string): Promise<ApprovalState | undefined>;
  /** The decisions of a task, newest first, also of approvals that a rerun has opened again. `before` is the id of a decision. */
  decisions(taskId: string, limit: number, before?: string): Promise<DecisionRecord[]>;
  /** Approvals of the task and of the sub-workflows it waits for; its own first, then the oldest. */
  openApprovals(taskId: string): Promise<PendingDecision[]>;
  /** Gives an open approval a link unless it has one; undefined when none is open at this path. */
  linkApproval(
    taskId: string,
    path: string,
    newLinkId: string,
  ): Promise<(ApprovalNotice & { expiresAt: number | null }) | undefined>;
  /** As `linkApproval`, for one person. Each creator gets a link of their own; null for the link that is sent by email. */
  linkApprover(
    taskId: string,
    path: string,
    link: { linkId: string; email: string; createdBy: string | null },
  ): Promise<(ApprovalNotice & { expiresAt: number | null }) | undefined>;
  recordNotice(taskId: string, path: string, notice: ApprovalNotice): Promise<void>;

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
  failFamily(rootTaskId: string, error: StepError, limit: number, now: number): Promise<CancelledTask[]>;
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
}
