import { isRecord } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { Call, Handler } from "./call.ts";
import { missingCapability, SUBSCRIPTION_ID, TASKS_EXTENSION } from "./protocol.ts";
import { hasEnded, type Run, type Runs } from "./runs.ts";
import { readTask } from "./tasks.ts";

const MAX_TASKS = 20;

/** Status changes of runs on one long response, for clients that do not poll. */
export function subscriptionMethods(runs: Runs): Record<string, Handler> {
  /** Sends the run whenever it may have changed, until it has ended. */
  async function follow({ caller, client, channel, id }: Call, runId: string): Promise<void> {
    const watch = runs.watch(runId);
    let sent = "";
    try {
      for (let run: Run | undefined; run === undefined || !hasEnded(run);) {
        await watch.changed(channel.signal);
        if (channel.signal.aborted) return;
        run = await runs.read(caller.ownerId, runId);
        const task = await readTask(runs, client, caller, run);
        const text = JSON.stringify(task);
        if (text === sent) continue;
        sent = text;
        const params = { ...task, _meta: { [SUBSCRIPTION_ID]: id } };
        channel.send({ jsonrpc: "2.0", method: "notifications/tasks", params });
      }
    } finally {
      watch.close();
    }
  }

  async function readable({ caller }: Call, ids: readonly unknown[]): Promise<string[]> {
    const found: string[] = [];
    for (const id of ids.slice(0, MAX_TASKS))
      try {
        if (typeof id === "string") found.push((await runs.read(caller.ownerId, id)).id);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    return found;
  }

  return {
    async "subscriptions/listen"(call) {
      const { client, params, channel, id } = call;
      const wanted = isRecord(params["notifications"]) ? params["notifications"]["taskIds"] : undefined;
      if (wanted !== undefined && !client.hasTasks)
        throw missingCapability({ extensions: { [TASKS_EXTENSION]: {} } });
      const taskIds = await readable(call, Array.isArray(wanted) ? wanted : []);
      const _meta = { [SUBSCRIPTION_ID]: id };
      channel.send({
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: taskIds.length > 0 ? { taskIds } : {}, _meta },
      });
      const left = new Promise<void>((resolve) => {
        if (channel.signal.aborted) resolve();
        channel.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.all([left, ...taskIds.map((taskId) => follow(call, taskId))]);
      return { _meta };
    },
  };
}
