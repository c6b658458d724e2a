import { AppError } from "../lib/errors.ts";
import { assertRole } from "../security/roles.ts";
import type { Sessions } from "../teams/sessions.ts";
import { createEventHandler, createSequence } from "./acknowledge.ts";
import { createDocumentWatch, type ReadDocumentStatus } from "./document-watch.ts";
import type { IoSocket } from "./io.ts";
import { createClientRooms, type RoomServer } from "./client-rooms.ts";
import type { PacketLimits } from "./limit-packets.ts";
import { dropIfSlow } from "./slow-clients.ts";
import { createTaskWatch, type TaskWatchDeps } from "./task-watch.ts";

export interface ClientDeps extends TaskWatchDeps {
  roomServer: RoomServer;
  packets: Pick<PacketLimits, "begin">;
  sessions: Pick<Sessions, "get" | "postAs">;
  documentStatus: ReadDocumentStatus;
  onError(error: unknown): void;
}

const MAX_CONTENT_CHARACTERS = 1_048_576;

/** Handles the requests of one client until it disconnects. */
export function serveClient(socket: IoSocket, deps: ClientDeps): void {
  const { userId, workspaceId, role } = socket.data;
  const rooms = createClientRooms(socket, deps.roomServer);
  const tasks = createTaskWatch(deps, workspaceId, (event) => {
    socket.emit("TASK_STATUS", event);
    dropIfSlow(socket);
  });
  const documents = createDocumentWatch(deps.documentStatus, workspaceId, (event) =>
    socket.emit("DOCUMENT_STATUS", event),
  );
  const handler = createEventHandler({
    begin: deps.packets.begin,
    onAnswered: () => dropIfSlow(socket),
    onError: deps.onError,
  });
  const inSequence = createSequence();

  socket.on(
    "join_war_room",
    handler("join_war_room", (request, acknowledge) => inSequence(() => rooms.enter(request, acknowledge))),
  );
  socket.on(
    "leave_war_room",
    handler("leave_war_room", (request, acknowledge) =>
      inSequence(async () => {
        const { sessionId } = request ?? {};
        rooms.leave(
          sessionId === undefined
            ? request?.teamId
            : (await deps.sessions.get(workspaceId, sessionId)).teamId,
        );
        acknowledge({ ok: true });
      }),
    ),
  );
  socket.on(
    "send_message",
    handler("send_message", async ({ sessionId, to, content }, acknowledge) => {
      assertRole(role, "operator");
      if (JSON.stringify(content).length > MAX_CONTENT_CHARACTERS)
        throw new AppError("payload_too_large", "A message must not exceed 1 MiB.");
      const posted = await deps.sessions.postAs(workspaceId, sessionId, { to, content }, userId);
      acknowledge({ ok: true, ...posted });
    }),
  );

  socket.on(
    "watch_task",
    handler("watch_task", async ({ taskId }, acknowledge) =>
      acknowledge({ ok: true, taskId, status: await tasks.begin(taskId) }),
    ),
  );
  socket.on(
    "unwatch_task",
    handler("unwatch_task", ({ taskId }, acknowledge) => {
      tasks.end(taskId);
      acknowledge({ ok: true });
      return Promise.resolve();
    }),
  );
  socket.on(
    "watch_document",
    handler("watch_document", async ({ documentId }, acknowledge) =>
      acknowledge({ ok: true, ...(await documents.begin(documentId)) }),
    ),
  );
  socket.on(
    "unwatch_document",
    handler("unwatch_document", ({ documentId }, acknowledge) => {
      documents.end(documentId);
      acknowledge({ ok: true });
      return Promise.resolve();
    }),
  );

  socket.on("disconnect", () => {
    rooms.leave();
    tasks.endAll();
    documents.endAll();
  });
}
