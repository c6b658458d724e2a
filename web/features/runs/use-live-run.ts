import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { followTask } from "../../api/task-events.ts";
import { isFinal, type ReadTask, useTask } from "../../api/tasks.ts";
import type { Task } from "../../api/types.ts";
import {
  applyEvent,
  newestProgress,
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
  /** When the last event arrived, by the clock of this browser. */
  lastUpdate: number;
  /** The time of the service minus the time of this browser; undefined until the service has sent it. */
  clockOffsetMs: number | undefined;
}

/** Loops and waits change the task itself; it is read again at most this often. */
const REREAD_MS = 1000;

/** A task with its progress: from the event stream while it runs, from its step results once it has ended. */
export function useLiveRun(taskId: string | undefined): LiveRun {
  const client = useQueryClient();
  const { data: task, error, refetch } = useTask(taskId);
  const [streamed, setStreamed] = useState<{ taskId: string; progress: RunProgress }>();
  const [connected, setConnected] = useState(true);
  const [lastUpdate, setLastUpdate] = useState(Date.now);
  const [clockOffsetMs, setClockOffset] = useState<number>();
  const live = task !== undefined && !isFinal(task.status);

  useEffect(() => {
    if (!live || taskId === undefined) return;
    const loaded = client.getQueryData<ReadTask>(["task", taskId]);
    if (loaded === undefined) return;
    const stop = new AbortController();
    let progress = progressOfTask(loaded, loaded.lastSeq);
    let pending: RunEvent[] = [];
    let frame = 0;
    let reread: ReturnType<typeof setTimeout> | undefined;
    // A run of 200 fast steps sends hundreds of events within one frame: one render per frame.
    const flush = (): void => {
      frame = 0;
      const now = new Date().toISOString();
      for (const event of pending) progress = applyEvent(progress, event, now);
      pending = [];
      setLastUpdate(Date.now());
      setStreamed({ taskId, progress });
    };
    void followTask({
      taskId,
      signal: stop.signal,
      afterSeq: progress.lastSeq,
      onClock: setClockOffset,
      onConnected: setConnected,
      onEvent(event) {
        pending.push(event);
        if (event.kind !== undefined)
          reread ??= setTimeout(() => {
            reread = undefined;
            for (const key of ["task", "approvals"]) void client.invalidateQueries({ queryKey: [key] });
          }, REREAD_MS);
        if (frame === 0) frame = requestAnimationFrame(flush);
      },
    }).then(() => {
      if (stop.signal.aborted) return;
      for (const key of ["task", "tasks", "approvals"]) void client.invalidateQueries({ queryKey: [key] });
    });
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
      clearTimeout(reread);
    };
  }, [live, taskId, client]);

  const fromStream = live && streamed?.taskId === taskId ? streamed?.progress : undefined;
  const ofTask = useMemo(() => (task === undefined ? undefined : progressOfTask(task, task.lastSeq)), [task]);
  const progress = ofTask && newestProgress(ofTask, fromStream);
  return { task, error, refetch, progress, connected, lastUpdate, clockOffsetMs };
}
