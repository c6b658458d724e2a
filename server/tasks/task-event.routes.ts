import { once } from "node:events";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import type { TaskStreamEvent } from "../../contract/task-events.ts";
import type { Engine, TaskEvent } from "../engine/engine-api.ts";
import { isFinal, type TaskStatus } from "../engine/tasks/task.ts";
import { toIso } from "../lib/clock.ts";
import type { Tasks } from "./tasks.ts";
import type { HttpServer } from "../http/server.ts";

const PAGE = 200;
const KEEP_ALIVE_MS = 15_000;
/** A reader that does not read is cut off; with Last-Event-ID it comes back to where it was. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export function taskEventRoutes(app: HttpServer, { tasks, engine }: { tasks: Tasks; engine: Engine }): void {
  // A stop does not wait for those who only watch: they come back with Last-Event-ID.
  const open = new Set<ServerResponse>();
  app.addHook("preClose", (done) => {
    for (const response of open) response.destroy();
    done();
  });
  app.get(
    "/api/tasks/:id/events",
    {
      // It would wait for the end of a stream of which it may say nothing.
      exposeHeadRoute: false,
      schema: {
        tags: ["tasks"],
        summary: "Follow a task as server-sent events",
        description:
          "Every durable change has an id: `Last-Event-ID` (or `?after=`) resumes without gap or repeat. `step_started` is live only and has none. The stream ends when the task has ended.",
        params: z.object({ id: z.string() }),
        querystring: z.object({ after: z.coerce.number().int().min(0).optional() }),
        response: { 200: z.string().describe("text/event-stream"), "4xx": errorSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const status = () => tasks.status(request.userId, id);
      await status();
      const lastId = Number(request.headers["last-event-id"] ?? request.query.after ?? 0);
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        connection: "keep-alive",
      });
      open.add(reply.raw);
      await stream(engine, id, Number.isSafeInteger(lastId) && lastId > 0 ? lastId : 0, reply.raw, status);
      open.delete(reply.raw);
    },
  );
}

/** Listens first and reads the journal then, so that nothing falls between; the numbers keep repeats out. */
async function stream(
  engine: Engine,
  taskId: string,
  afterSeq: number,
  response: ServerResponse,
  status: () => Promise<TaskStatus>,
): Promise<void> {
  const closed = new AbortController();
  response.on("close", () => closed.abort());
  let sent = afterSeq;
  let ended = false;
  /** While the journal is being read, what happens meanwhile is found there and not held here. */
  let behind = true;
  let missed = false;

  function send(event: TaskEvent): void {
    if (closed.signal.aborted || (event.seq !== null && event.seq <= sent)) return;
    if (event.seq !== null) sent = event.seq;
    response.write(encode(toStreamEvent(event)));
    // An end may be an old one that a rerun has followed up: only the last entry ends the stream.
    if (event.seq !== null) ended = event.entry.kind === "status";
    if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
  }

  async function catchUp(): Promise<void> {
    behind = true;
    do {
      missed = false;
      const entries = await engine.events(taskId, sent, PAGE);
      for (const entry of entries) send({ seq: entry.seq, entry });
      if (response.writableNeedDrain && !closed.signal.aborted)
        await once(response, "drain", { signal: closed.signal });
      if (entries.length === PAGE) missed = true;
    } while (missed && !closed.signal.aborted);
    behind = false;
    if (ended) closed.abort();
  }

  const unwatch = engine.watch(taskId, (event) => {
    if (behind) missed = true;
    // Two writes of one moment may be told of in the wrong order: the journal has the right one.
    else if (event.seq !== null && event.seq > sent + 1) void catchUp().catch(() => closed.abort());
    else {
      send(event);
      if (ended) closed.abort();
    }
  });
  const keepAlive = setInterval(() => response.write(": still here\n\n"), KEEP_ALIVE_MS);
  try {
    // Lets the client know at once that it is connected.
    response.write("retry: 1000\n\n");
    await catchUp();
    if (!ended && isFinal(await status())) {
      // It ended this moment, or the reader had seen the end already and has nothing to wait for.
      await catchUp();
      closed.abort();
    }
    if (!closed.signal.aborted) await once(closed.signal, "abort");
  } catch {
    // The reader has gone: nothing is left to do for it.
  } finally {
    clearInterval(keepAlive);
    unwatch();
    response.end();
  }
}

/** The text of one event: its number, its name and its data. */
function encode({ event, ...data }: TaskStreamEvent): string {
  const id = "seq" in data ? `id: ${data.seq}\n` : "";
  return `${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function toStreamEvent(event: TaskEvent): TaskStreamEvent {
  if (event.seq === null)
    return { event: "step_started", stepId: event.path, type: event.type, status: "running" };
  const { entry } = event;
  const common = {
    seq: entry.seq,
    ...("error" in entry && entry.error !== null && { error: entry.error }),
    ...("due" in entry && entry.due !== null && { dueAt: toIso(entry.due) }),
    at: toIso(entry.at),
  };
  if (entry.kind === "status") return { event: "task", kind: "status", status: entry.status, ...common };
  if (entry.kind === "rerun") return { event: "rerun", kind: "rerun", status: entry.status, ...common };
  return {
    event: entry.kind,
    kind: entry.kind,
    stepId: entry.path,
    type: entry.type,
    attempt: "attempt" in entry ? entry.attempt : 0,
    status: entry.status,
    ...(entry.startedAt !== null && { startedAt: toIso(entry.startedAt) }),
    ...common,
  };
}
