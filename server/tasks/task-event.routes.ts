import { once } from "node:events";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { queryNumber } from "../../contract/api.ts";
import { SERVER_TIME_HEADER } from "../../contract/server-time.ts";
import { type TaskStreamEvent, taskStreamEventSchema } from "../../contract/task-events.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { EntryHead } from "../engine/journal/journal-entry.ts";
import { isFinal, type TaskStatus } from "../engine/tasks/task.ts";
import type { Clock } from "../lib/clock.ts";
import { createLogFollower } from "../lib/log-follower.ts";
import type { Limits } from "../limits/limits.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { toStreamEvent } from "./task-event-view.ts";
import type { Tasks } from "./tasks.ts";
import type { HttpServer } from "../http/server.ts";

const KEEP_ALIVE_MS = 15_000;
/** Past this the connection is closed; the client resumes with Last-Event-ID. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
/** A client that reads nothing for this long while it catches up is disconnected. */
const STALL_MS = 60_000;

export interface TaskEventRoutesDeps {
  tasks: Tasks;
  engine: Engine;
  clock: Clock;
  /** Throws when the user or the address has too many open streams; returns the function that ends this one. */
  openStream: Limits["openStream"];
}

export function taskEventRoutes(
  app: HttpServer,
  { tasks, engine, clock, openStream }: TaskEventRoutesDeps,
): void {
  // Shutdown does not wait for subscribers: they resume with Last-Event-ID.
  const open = new Set<ServerResponse>();
  app.addHook("preClose", (done) => {
    for (const response of open) response.destroy();
    done();
  });
  app.get(
    "/api/tasks/:id/events",
    {
      // A HEAD request would wait for the end of the stream.
      config: { refusesHead: true, access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags: ["tasks"],
        operationId: "streamTaskEvents",
        summary: "Follow a task as server-sent events",
        requestHeaders: ["LastEventId"],
        errors: ["limit_reached"],
        description:
          "Every durable change has an id: `Last-Event-ID` (or `?after=`) resumes without gap or repeat. `step_started` and `step_log` are live only and have none. The stream ends when the task has ended. The header `x-server-time` has the time of the service when it began, in milliseconds.",
        params: z.object({ id: z.string() }),
        querystring: z.object({ after: queryNumber().min(0).optional() }),
        events: taskStreamEventSchema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const status = () => tasks.status(request.workspaceId, id);
      await status();
      const lastId = Number(request.headers["last-event-id"] ?? request.query.after ?? 0);
      const endStream = openStream(request.workspaceId, clientNetwork(request.ip));
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        // For durations of what still runs: the clock of the client may differ by minutes.
        [SERVER_TIME_HEADER]: String(clock.now()),
        connection: "keep-alive",
      });
      open.add(reply.raw);
      const unwatch = request.watchLogin(() => reply.raw.destroy());
      await stream(engine, id, Number.isSafeInteger(lastId) && lastId > 0 ? lastId : 0, reply.raw, status);
      open.delete(reply.raw);
      unwatch();
      endStream();
    },
  );
}

/** Subscribes first and reads the journal then, so that no entry is missed in between. */
async function stream(
  engine: Engine,
  taskId: string,
  afterSeq: number,
  response: ServerResponse,
  status: () => Promise<TaskStatus>,
): Promise<void> {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  // The client may have disconnected before the listener existed.
  if (response.closed) closed.abort();
  let ended = false;

  function write(text: string): void {
    if (closed.signal.aborted) return;
    response.write(text);
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
  }

  const journal = createLogFollower<EntryHead>({
    after: afterSeq,
    read: (after, limit) => engine.events(taskId, after, limit),
    deliver(entry): Promise<unknown> | undefined {
      // A rerun may follow the end of a task: only an end that is the last entry ends the stream.
      ended = entry.kind === "status";
      write(encode(toStreamEvent({ seq: entry.seq, entry })));
      // A long journal is read as fast as the client takes it; a live entry waits for no client.
      const waits = journal.isReading && response.writableNeedDrain && !closed.signal.aborted;
      return waits ? once(response, "drain", { signal: closed.signal }) : undefined;
    },
    onCaughtUp() {
      if (ended) closed.abort();
    },
    onError: () => closed.abort(),
    stallMs: STALL_MS,
  });
  const unwatch = engine.watch(taskId, (event) => {
    if (event.seq !== null) journal.push(event.entry);
    else if (!journal.isReading) write(encode(toStreamEvent(event)));
  });
  const keepAlive = setInterval(() => write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  try {
    // The first bytes tell the client that it is connected.
    write("retry: 1000\n\n");
    journal.hint();
    await journal.caughtUp();
    if (!ended && isFinal(await status())) {
      // The task ended during the read, or the client had received the end before: nothing follows.
      journal.hint();
      await journal.caughtUp();
      closed.abort();
    }
    if (!closed.signal.aborted) await once(closed.signal, "abort");
  } catch {
    // The task was deleted or the client has disconnected.
  } finally {
    clearInterval(keepAlive);
    unwatch();
    journal.close();
    response.end();
  }
}

/** The text of one event: its number, its name and its data, which contains the name as well. */
function encode(event: TaskStreamEvent): string {
  const id = "seq" in event ? `id: ${event.seq}\n` : "";
  return `${id}event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}
