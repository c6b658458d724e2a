import type { ListTasksRequest, Task } from "@a2a-js/sdk";
import { expect, test } from "vitest";
import type { AgentTasks, TaskQuery } from "./agent-tasks.ts";
import { createRequestHandler } from "./request-handler.ts";
import { loadSdk } from "./sdk.ts";

const MEGABYTE = 1024 * 1024;

test("a page of large tasks is read one after the other, ends early and goes on where it ended", async () => {
  const sdk = await loadSdk();
  const ids = ["e", "d", "c", "b", "a"];
  let reading = 0;
  let mostAtOnce = 0;
  const artifacts = [{ parts: ["x".repeat(6 * MEGABYTE)] }];
  const handler = createRequestHandler({
    sdk,
    tasks: {
      list: ({ before, limit }: TaskQuery) => {
        const rest = ids.filter((id) => before === undefined || id < before.id);
        const positions = rest.slice(0, limit).map((id) => ({ at: 1, id }));
        return Promise.resolve({ positions, total: ids.length });
      },
      async read(id: string) {
        mostAtOnce = Math.max(mostAtOnce, ++reading);
        await new Promise((resolve) => setImmediate(resolve));
        reading -= 1;
        return { id, history: [], artifacts } as unknown as Task;
      },
    } as unknown as AgentTasks,
  } as unknown as Parameters<typeof createRequestHandler>[0]);
  const list = (pageToken: string, includeArtifacts: boolean) => {
    const filter = { contextId: "", status: sdk.types.TaskState.TASK_STATE_UNSPECIFIED };
    const request = { ...filter, tenant: "", pageToken, includeArtifacts } as ListTasksRequest;
    return handler.listTasks(request, {} as never);
  };
  const first = await list("", true);
  expect([first.tasks.map(({ id }) => id), first.pageSize, first.totalSize]).toEqual([["e", "d", "c"], 3, 5]);
  const second = await list(first.nextPageToken, true);
  expect([second.tasks.map(({ id }) => id), second.nextPageToken]).toEqual([["b", "a"], ""]);
  expect(mostAtOnce).toBe(1);
  // Without artifacts their size does not count.
  expect((await list("", false)).tasks).toHaveLength(5);
});
