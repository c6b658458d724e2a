import { createHash } from "node:crypto";
import type { Message, StreamResponse, Task } from "@a2a-js/sdk";
import { toIdempotency } from "../endpoints/idempotency.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { EntryHead } from "../engine/journal/journal-entry.ts";
import { isFinal } from "../engine/tasks/task.ts";
import type { ExposedRecord } from "../exposure/exposures.ts";
import { quoteId } from "../lib/errors.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { createLogFollower } from "../lib/log-follower.ts";
import { createWakeUp } from "../mcp/wake-up.ts";
import type { Tasks } from "../tasks/tasks.ts";
import {
  type A2aMessageRecord,
  type A2aTaskRecord,
  type A2aTaskStore,
  type Question,
  questionId,
} from "./a2a-task.sql.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { toAnswer } from "./decision.ts";
import { toInput } from "./message-input.ts";
import { partsOfQuestion } from "./message-parts.ts";
import type { Sdk } from "./sdk.ts";
import { lastEvents, statusUpdate } from "./stream-events.ts";
import { isTerminal, isWaiting } from "./task-states.ts";
import { createWorkflowView } from "./workflow-view.ts";

export interface WorkflowTasksDeps {
  sdk: Sdk;
  record: ExposedRecord;
  caller: string;
  store: A2aTaskStore;
  tasks: Pick<Tasks, "summary">;
  engine: Pick<Engine, "start" | "read" | "cancel" | "decide" | "events" | "lastSeq" | "watch">;
  clock: Clock;
}

/** A hint between processes may be lost: the journal is read again after this long. */
const POLL_MS = 2000;
/** All messages of one task together. */
const MAX_MESSAGE_CHARACTERS = 2 * 1024 * 1024;

/** The runs of one caller of a workflow. The id of a run is the id of the Baton task. */
export function createWorkflowTasks(deps: WorkflowTasksDeps): AgentTasks {
  const { sdk, record, caller, store, tasks, engine, clock } = deps;
  const { TaskNotFoundError, RequestMalformedError, UnsupportedOperationError } = sdk.errors;
  const { ownerId, recordId: agentId, workflow, inputSchema } = record;
  const view = createWorkflowView(sdk);

  async function find(taskId: string): Promise<A2aTaskRecord> {
    const found = await store.find(taskId, agentId, caller);
    if (found === undefined)
      throw new TaskNotFoundError(`Task not found: there is no task ${quoteId(taskId)}.`);
    return found;
  }

  async function read(taskId: string, withArtifacts = true): Promise<Task> {
    const { contextId, shown } = await find(taskId);
    const [summary, messages, question] = await Promise.all([
      tasks.summary(ownerId, taskId),
      store.messages(taskId),
      store.questionOfTask(taskId),
    ]);
    if (question !== undefined && shown !== questionId(question))
      await store.setShown(taskId, questionId(question));
    // Results may be large, so they are read only when there is one and it is wanted.
    const task =
      withArtifacts && isFinal(summary.status)
        ? (await engine.read(taskId))!.task
        : { ...summary, result: null };
    return view.toTask({ task, contextId, messages, question });
  }

  function toRecord(
    taskId: string,
    role: A2aMessageRecord["role"],
    { messageId, parts }: Pick<Message, "messageId" | "parts">,
  ): A2aMessageRecord {
    const now = clock.now();
    const encoded = parts.map((part) => sdk.types.Part.toJSON(part));
    return { id: createId("msg", now), ownerId, taskId, role, messageId, parts: encoded, createdAt: now };
  }

  async function start(message: Message): Promise<string> {
    const contextId = message.contextId === "" ? createId("ctx", clock.now()) : message.contextId;
    const key = createHash("sha256").update(message.messageId).digest("hex");
    const body = [message.contextId, message.parts.map((part) => sdk.types.Part.toJSON(part))];
    const { taskId } = await engine.start({
      workflow: workflow!,
      trigger: "a2a",
      input: toInput(inputSchema, message.parts),
      idempotency: await toIdempotency(key, `a2a:${agentId}:${caller}`, body),
    });
    await store.insert(
      { id: taskId, ownerId, agentId, caller, contextId, seq: null, createdAt: clock.now() },
      [toRecord(taskId, "user", message)],
    );
    return taskId;
  }

  /** The answer to the approval that the caller saw. One that decides nothing leaves the question open. */
  async function answer(message: Message): Promise<string> {
    const { id: taskId, contextId, shown } = await find(message.taskId);
    if (message.contextId !== "" && message.contextId !== contextId)
      throw new RequestMalformedError("message.contextId is not the contextId of the task");
    const messages = await store.messages(taskId);
    const repeated = messages.findIndex(({ messageId }) => messageId === message.messageId);
    const { status } = await tasks.summary(ownerId, taskId);
    const question = isFinal(status) ? undefined : await store.questionOfTask(taskId);
    if (repeated !== -1) {
      // A crash may have fallen between the message and its decision.
      const asked = messages.slice(0, repeated).findLast(({ role }) => role === "agent");
      if (question !== undefined && asked?.messageId === questionId(question))
        await decide(taskId, question, message);
      return taskId;
    }
    if (question === undefined)
      throw new UnsupportedOperationError(
        isFinal(status)
          ? "This task has ended; send the message without taskId."
          : "This task takes no message while it works.",
      );
    // Every read of the task loads its messages.
    if (JSON.stringify([messages, message.parts]).length > MAX_MESSAGE_CHARACTERS)
      throw new RequestMalformedError("The messages of this task are too large; send a shorter one");
    const answered = toAnswer(message.parts)?.question ?? shown;
    const isSeen = answered === questionId(question);
    const asked = { messageId: questionId(question), parts: partsOfQuestion(question) };
    await store.insertMessages([
      ...(isSeen ? [toRecord(taskId, "agent", asked)] : []),
      toRecord(taskId, "user", message),
    ]);
    if (isSeen) await decide(taskId, question, message);
    return taskId;
  }

  async function decide(taskId: string, { path }: Question, { parts }: Message): Promise<void> {
    const answer = toAnswer(parts);
    if (answer !== undefined)
      await engine.decide(taskId, { ...answer.decision, decidedBy: caller, via: "a2a", stepId: path });
  }

  return {
    deliver: (message) => (message.taskId === "" ? start(message) : answer(message)),
    read,

    async *follow(task, stop): AsyncGenerator<StreamResponse, void, undefined> {
      const wakeUp = createWakeUp();
      const ended: string[] = [];
      const journal = createLogFollower<EntryHead>({
        after: engine.lastSeq(task.id),
        read: (after, limit) => engine.events(task.id, after, limit),
        deliver(entry) {
          if (entry.kind === "step" && !/[[/]/.test(entry.path)) ended.push(entry.path);
          wakeUp.wake();
        },
        onCaughtUp: () => wakeUp.wake(),
        onError: () => wakeUp.wake(),
        pollMs: POLL_MS,
      });
      const unwatch = engine.watch(task.id, (event) => {
        if (event.seq !== null) journal.push(event.entry);
      });
      journal.hint();
      let last = task;
      try {
        for (;;) {
          await wakeUp.next(stop);
          if (stop.aborted) return;
          const current = await read(task.id);
          for (const stepId of ended.splice(0)) yield progress(last, stepId);
          if (isTerminal(current)) {
            yield* lastEvents(current);
            return;
          }
          if (current.status?.state !== last.status?.state) yield statusUpdate(current);
          if (isWaiting(current) && !isWaiting(last)) return;
          last = current;
        }
      } finally {
        unwatch();
        journal.close();
      }
    },

    async cancel(taskId) {
      await find(taskId);
      await engine.cancel(taskId);
    },

    list: ({ state, ...query }) =>
      store.listWorkflowTasks({
        ...query,
        agentId,
        caller,
        statuses:
          state === undefined
            ? undefined
            : Object.entries(view.states).flatMap(([status, shown]) => (shown === state ? [status] : [])),
      }),
  };
}

/** A step has ended; its result is in the task. */
function progress(task: Task, stepId: string): StreamResponse {
  const update = statusUpdate(task);
  if (update.payload?.$case === "statusUpdate") update.payload.value.metadata = { stepId };
  return update;
}
