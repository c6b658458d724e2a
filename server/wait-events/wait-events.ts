import type { PageQuery } from "../../contract/api.ts";
import type { EventWait, SendEvent } from "../../contract/wait-events.ts";
import { DEFAULT_EXPIRY_MS } from "../../contract/wait-events.ts";
import type { Engine } from "../engine/engine-api.ts";
import { TASK_LANE } from "../engine/worker/lane.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Limits } from "../limits/limits.ts";
import type { ResumeUrls } from "./resume-urls.ts";
import type { KeptLimits, WaitEventStore } from "./wait-event.sql.ts";

export interface WaitEventsDeps {
  store: WaitEventStore;
  engine: Pick<Engine, "nudge">;
  urls: ResumeUrls;
  /** Throws `task_not_found` or `forbidden`. */
  requireTask(ownerId: string, taskId: string): Promise<unknown>;
  limits: Pick<Limits, "max" | "refuse">;
  clock: Clock;
}

export type WaitEvents = ReturnType<typeof createWaitEvents>;

/** Sends events to the steps that wait for them, now or later. */
export function createWaitEvents({ store, engine, urls, requireTask, limits, clock }: WaitEventsDeps) {
  const kept = (ownerId: string): KeptLimits => ({
    events: limits.max("kept_events", ownerId) || Number.MAX_SAFE_INTEGER,
    bytes: limits.max("kept_event_bytes", ownerId) || Number.MAX_SAFE_INTEGER,
  });

  function wake(taskId: string | undefined): boolean {
    if (taskId !== undefined) engine.nudge(taskId, TASK_LANE);
    return taskId !== undefined;
  }

  async function isFull(ownerId: string, text: string): Promise<boolean> {
    const used = await store.countKept(ownerId);
    return used.events >= kept(ownerId).events || used.bytes + text.length > kept(ownerId).bytes;
  }

  async function full(ownerId: string): Promise<AppError> {
    const name =
      (await store.countKept(ownerId)).events >= kept(ownerId).events ? "kept_events" : "kept_event_bytes";
    return limits.refuse(
      name,
      "No step waits for this event, and no more events are kept. Let workflows take them, or send events that expire sooner.",
      { retryAfterSeconds: 60, ownerId },
    );
  }

  return {
    async send(
      ownerId: string,
      { name, key, data, id, expiresInMs }: SendEvent,
    ): Promise<{ delivered: boolean; duplicate: boolean }> {
      const now = clock.now();
      const { stored, taskId } = await store.send(
        {
          id: createId("evt", now),
          ownerId,
          name,
          key: String(key),
          data: JSON.stringify(data ?? null),
          sentId: id ?? null,
          createdAt: now,
          expiresAt: now + expiresInMs,
        },
        kept(ownerId),
      );
      if (stored) return { delivered: wake(taskId), duplicate: false };
      const before = id === undefined ? undefined : await store.findSent(ownerId, id);
      if (before === undefined) throw await full(ownerId);
      return { delivered: before.taken, duplicate: true };
    },

    /** The steps of a task that wait for an event. The cursor is the path of the last one. */
    async listOpen(
      ownerId: string,
      taskId: string,
      { limit, cursor = "", stepId: path }: PageQuery & { stepId?: string | undefined },
    ): Promise<ResultPage<EventWait>> {
      await requireTask(ownerId, taskId);
      const open = await store.listOpen(taskId, { path: path ?? null, afterPath: cursor, limit: limit + 1 });
      const waits = open.map(({ path, dueAt, fields }) => ({
        stepId: path,
        event: textOf(fields["event"]),
        key: textOf(fields["key"]),
        dueAt: dueAt === null ? null : toIso(dueAt),
        resumeUrl: urls.urlOf(taskId, path),
      }));
      return toResultPage(waits, limit, ({ stepId }) => stepId);
    },

    /** Continues the step of a resume URL, or lets it continue at once when it begins to wait. */
    async resume(token: string, data: unknown): Promise<{ taskId: string; delivered: boolean }> {
      const target = urls.read(token);
      if (target === undefined) throw notFound("resume_url");
      const waiting = await store.findWaiting(target);
      if (waiting === undefined) throw ended();
      const now = clock.now();
      const text = JSON.stringify(data ?? null);
      const { stored, taskId } = await store.resume(
        {
          id: createId("evt", now),
          ownerId: waiting.ownerId,
          data: text,
          sentId: null,
          createdAt: now,
          expiresAt: now + DEFAULT_EXPIRY_MS,
        },
        target,
        kept(waiting.ownerId),
      );
      if (!stored) throw (await isFull(waiting.ownerId, text)) ? await full(waiting.ownerId) : ended();
      return { taskId: target.taskId, delivered: wake(taskId) };
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

function ended(): AppError {
  return new AppError(
    "task_not_waiting",
    "This step has been continued before, has ended, or its run has. A resume URL works once.",
  );
}
