import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { followTask } from "../../api/task-events.ts";
import { isFinal, useTask } from "../../api/tasks.ts";
import type { Task } from "../../api/types.ts";
import {
  applyEvent,
  initialProgress,
  progressOfTask,
  type RunEvent,
  type RunProgress,
} from "../../flow/run-progress.ts";

export interface LiveRun {
  task: Task | undefined;
  error: unknown;
  refetch: () => unknown;
  progress: RunProgress | undefined;
  connected: boolean;
}

/** A task with its progress: from the event stream while it runs, from its step results once it has ended. */
export function useLiveRun(taskId: string | undefined): LiveRun {
  const client = useQueryClient();
  const { data: task, error, refetch } = useTask(taskId);
  const [streamed, setStreamed] = useState<{ taskId: string; progress: RunProgress }>();
  const [connected, setConnected] = useState(true);
  const live = task !== undefined && !isFinal(task.status);

  useEffect(() => {
    if (!live || taskId === undefined) return;
    const stop = new AbortController();
    let progress = initialProgress("running");
    let pending: RunEvent[] = [];
    let frame = 0;
    // A run of 200 fast steps sends hundreds of events within one frame: one render per frame.
    const flush = (): void => {
      frame = 0;
      const now = new Date().toISOString();
      for (const event of pending) progress = applyEvent(progress, event, now);
      pending = [];
      setStreamed({ taskId, progress });
    };
    void followTask({
      taskId,
      signal: stop.signal,
      onConnected: setConnected,
      onEvent(event) {
        pending.push(event);
        if (event.kind === "wait" || event.kind === "rerun")
          for (const key of ["task", "approvals"]) void client.invalidateQueries({ queryKey: [key] });
        if (frame === 0) frame = requestAnimationFrame(flush);
      },
    }).then(() => {
      if (stop.signal.aborted) return;
      for (const key of ["task", "tasks", "approvals"]) void client.invalidateQueries({ queryKey: [key] });
    });
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, [live, taskId, client]);

  const fromStream = streamed?.taskId === taskId ? streamed?.progress : undefined;
  const progress =
    task === undefined ? undefined : live ? (fromStream ?? progressOfTask(task)) : progressOfTask(task);
  return { task, error, refetch, progress, connected };
}
