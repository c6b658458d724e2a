import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { LogLine } from "../../contract/step-log.ts";
import type { LoopItemStatus } from "../../contract/tasks.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { LoopItem } from "../engine/tasks/loop-items.ts";
import { toResultPage } from "../lib/result-page.ts";
import type { TaskStore } from "./task.sql.ts";

const MAX_ITEM_CHARACTERS = 2000;
const NO_LOGS: ReadonlyMap<number, readonly LogLine[]> = new Map();

export interface TaskStepsDeps {
  store: Pick<TaskStore, "get">;
  engine: Pick<Engine, "attempts" | "childOf" | "events" | "logs" | "loopItems" | "openOutput">;
}

export type TaskSteps = ReturnType<typeof createTaskSteps>;

/** What the steps of a task have done, for a logged-in user: checks ownership, then reads from the engine. */
export function createTaskSteps({ store, engine }: TaskStepsDeps) {
  return {
    async listAttempts(ownerId: string, taskId: string, stepId: string, page: PageQuery) {
      await store.get(taskId, ownerId);
      return engine.attempts(taskId, stepId, page);
    },
    async childOf(ownerId: string, taskId: string, stepId: string) {
      await store.get(taskId, ownerId);
      return engine.childOf(taskId, stepId);
    },
    async listLoopItems(
      ownerId: string,
      taskId: string,
      stepId: string,
      { limit, cursor }: PageQuery,
      onlyProblems: boolean,
    ) {
      await store.get(taskId, ownerId);
      const loop = await engine.loopItems(taskId, stepId);
      const { items } = loop ?? { items: [] };
      const counts: Partial<Record<LoopItemStatus, number>> = {};
      for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
      const after = cursor === undefined ? -1 : Number(cursor);
      const chosen = items.filter((item) => item.index > after && (!onlyProblems || isProblem(item)));
      const page = toResultPage(chosen.slice(0, limit + 1), limit, ({ index }) => String(index));
      const values = (await loop?.valuesOf(page.items.map(({ index }) => index))) ?? [];
      return {
        items: page.items.map((item, i) => ({ ...item, item: shortened(values[i] ?? null) })),
        total: items.length,
        counts,
        nextCursor: page.nextCursor,
      };
    },
    /** Oldest first; the cursor is the number of the last event. */
    async listEvents(ownerId: string, taskId: string, { limit, cursor }: PageQuery, withLogs: boolean) {
      await store.get(taskId, ownerId);
      const after = cursor === undefined ? 0 : Number(cursor);
      const page = toResultPage(await engine.events(taskId, after, limit + 1), limit, ({ seq }) =>
        String(seq),
      );
      const last = page.items.at(-1)?.seq ?? after;
      return { ...page, logs: withLogs ? await engine.logs(taskId, after, last) : NO_LOGS };
    },
    async openOutput(ownerId: string, taskId: string, stepId: string) {
      await store.get(taskId, ownerId);
      return engine.openOutput(taskId, stepId);
    },
  };
}

function isProblem({ status, steps }: LoopItem): boolean {
  return status === "failed" || status === "waiting_approval" || steps.some(({ error }) => error !== null);
}

/** Names an item in a list; the input of its steps has all of it. */
function shortened(value: JsonValue): JsonValue {
  const json = JSON.stringify(value);
  return json.length <= MAX_ITEM_CHARACTERS
    ? value
    : { truncated: true, characters: json.length, begins: json.slice(0, MAX_ITEM_CHARACTERS / 10) };
}
