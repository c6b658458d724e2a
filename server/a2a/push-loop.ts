import type { StreamResponse, Task } from "@a2a-js/sdk";
import type { DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import { createFairDueLoop } from "../outbox/fair-due-loop.ts";
import { serialize } from "../lib/serialize-json.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { PushConfigRecord, PushConfigStore } from "./push-config.sql.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { statusUpdate } from "./stream-events.ts";
import { isTerminal } from "./task-states.ts";

export interface PushLoopDeps {
  store: PushConfigStore;
  outbox: Pick<Outbox, "enqueue">;
  clock: Clock;
  /** The task as its caller sees it; undefined when it is gone, or its caller may no longer read it. */
  readTask(sdk: Sdk, config: PushConfigRecord): Promise<Task | undefined>;
  onError(error: unknown, what: string): void;
}

/** The kind of these messages in the outbox. */
export const PUSH_KIND = "a2a";
const SLOTS = 8;
const SLOTS_PER_OWNER = 2;
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Looks at the tasks that have webhooks, often at first and then less often, and queues a message for every change of
 * their status. The message is queued before the change is recorded, so a crash repeats it instead of losing it.
 */
export function createPushLoop({ store, outbox, clock, readTask, onError }: PushLoopDeps): DueLoop {
  async function check(config: PushConfigRecord): Promise<void> {
    const sdk = await loadSdk();
    const task = await readTask(sdk, config);
    if (task === undefined) return store.record(config.id, config.reported, null);
    const status = `${task.status?.state} ${task.status?.timestamp}`;
    if (status !== config.reported) {
      const { body, contentType } = await encode(sdk, task, config.protocol);
      await outbox.enqueue([
        {
          ownerId: config.ownerId,
          kind: PUSH_KIND,
          targetId: config.id,
          label: sdk.types.taskStateToJSON(task.status!.state),
          subject: task.id,
          contentType,
          body,
        },
      ]);
    }
    const age = clock.now() - config.createdAt;
    const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, age / 20));
    await store.record(config.id, status, isTerminal(task) ? null : clock.now() + Math.round(pause));
  }

  return createFairDueLoop({
    store,
    work: check,
    clock,
    slots: SLOTS,
    slotsPerOwner: SLOTS_PER_OWNER,
    what: "reading tasks for their webhooks",
    onError,
  });
}

/** A change as an update, the end as the whole task with its result. */
async function encode({ types, legacy }: Sdk, task: Task, protocol: string) {
  const event: StreamResponse = isTerminal(task)
    ? { payload: { $case: "task", value: task } }
    : statusUpdate(task);
  if (protocol === "0.3") return new legacy.V03PushNotificationSerializer().serialize(event, task);
  // As the serializer of the SDK, but in turns of the event loop: a result may have ten megabytes.
  return { body: await serialize(types.StreamResponse.toJSON(event)), contentType: "application/a2a+json" };
}
