import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createLogFollower } from "../lib/log-follower.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import { hasEnded, type Run, type Runs } from "./runs.ts";
import { createWakeUp } from "./wake-up.ts";

export interface SessionRunsDeps {
  sessions: Pick<Sessions, "get" | "log" | "cancel" | "trigger">;
  signals: RoomSignals;
}

/** A signal lost between processes only delays. */
const POLL_MS = 2000;

const STATUS: Readonly<Record<SessionRecord["status"], Run["status"]>> = {
  waiting: "working",
  active: "working",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** Runs of teams: a session and its log. */
export function createSessionRuns({ sessions, signals }: SessionRunsDeps): Runs {
  async function requireOverMcp(id: string): Promise<void> {
    if ((await sessions.trigger(id)) !== "mcp") throw notFound("task", id);
  }

  const find = async (ownerId: string, id: string): Promise<Run> => toRun(await sessions.get(ownerId, id));
  const read = async (ownerId: string, id: string): Promise<Run> => {
    await requireOverMcp(id);
    return find(ownerId, id);
  };

  const watch: Runs["watch"] = (id, onProgress) => {
    const wakeUp = createWakeUp();
    const log = createLogFollower<MessageRecord>({
      after: 0,
      read: (after, limit) => sessions.log(id, after, limit),
      deliver({ seq, from, type }) {
        onProgress?.({ progress: seq, message: `${from.id}: ${type.replaceAll("_", " ")}` });
      },
      onCaughtUp: wakeUp.wake,
      onError: wakeUp.wake,
      pollMs: POLL_MS,
    });
    const unsubscribe = signals.subscribe((signal) => {
      const isRelevant =
        signal.kind === "missed" ||
        ((signal.kind === "grown" || signal.kind === "status") && signal.sessionId === id);
      if (isRelevant) log.hint();
    });
    log.hint();
    return {
      changed: wakeUp.next,
      caughtUp: () => log.caughtUp(),
      close() {
        unsubscribe();
        log.close();
      },
    };
  };

  return {
    read,
    watch,

    async settled(ownerId, id, signal) {
      await requireOverMcp(id);
      const changes = watch(id);
      try {
        for (;;) {
          const run = await find(ownerId, id);
          if (hasEnded(run) || signal.aborted) return run;
          await changes.changed(signal);
        }
      } finally {
        changes.close();
      }
    },

    async cancel(ownerId, id) {
      await requireOverMcp(id);
      await sessions.cancel(ownerId, id).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== "session_ended") throw error;
      });
    },

    approvals: () => Promise.resolve([]),
    decide: () => Promise.resolve(false),
  };
}

function toRun({ id, status, result, error, createdAt, startedAt, completedAt }: SessionRecord): Run {
  return {
    id,
    status: STATUS[status],
    output: (result?.output ?? null) as JsonValue,
    error,
    createdAt,
    updatedAt: completedAt ?? startedAt ?? createdAt,
  };
}
