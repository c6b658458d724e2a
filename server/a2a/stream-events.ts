import type { StreamResponse, Task } from "@a2a-js/sdk";

/** The status of the task as an event. */
export function statusUpdate({ id, contextId, status }: Task): StreamResponse {
  return {
    payload: { $case: "statusUpdate", value: { taskId: id, contextId, status, metadata: undefined } },
  };
}

/** The result of an ended task, then its end. */
export function* lastEvents(task: Task): Generator<StreamResponse> {
  const { id: taskId, contextId } = task;
  for (const artifact of task.artifacts) {
    const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
    yield { payload: { $case: "artifactUpdate", value } };
  }
  yield statusUpdate(task);
}
