import type { ClusterSession } from "./cluster-history.ts";
import { type RoomClient, type Rooms, WANTED_LOG } from "./rooms.ts";

/** Acknowledged sessions that are missing or unfinished. */
export function lostSessions({ begun }: Rooms, sessions: readonly ClusterSession[]): string[] {
  const completed = new Set(sessions.filter(({ status }) => status === "completed").map(({ id }) => id));
  return [...begun.keys()].filter((id) => !completed.has(id)).map((id) => `session ${id}`);
}

/** Every log is numbered 1, 2, 3 … and has each expected entry once. */
export function wrongLogs(sessions: readonly ClusterSession[]): string[] {
  const wanted = JSON.stringify(WANTED_LOG.map((text, index) => [index + 1, text]));
  return sessions.flatMap(({ id, status, lastSeq, log }) => {
    const said = JSON.stringify(log.map(({ seq, text }) => [seq, text]));
    return said === wanted && lastSeq === log.length && status === "completed"
      ? []
      : [`session ${id}: ${status}, ${said}`];
  });
}

/** A client received the log of a session, entry by entry. */
export function undelivered({ begun, clients }: Rooms, sessions: readonly ClusterSession[]): string[] {
  return clients.flatMap((client) =>
    sessions
      .filter(({ id, teamId }) => teamId === client.teamId && (begun.has(id) || client.received.has(id)))
      .filter((session) => !joinedTooLate(client, session))
      .flatMap(({ id, log }) => {
        const received = (client.received.get(id) ?? []).map((entry) => entry.id);
        return JSON.stringify(received) === JSON.stringify(log.map((entry) => entry.id))
          ? []
          : [`session ${id}: a client received ${received.length} of ${log.length} entries`];
      }),
  );
}

/** The session had ended before the client joined, and the client did not ask for it. */
function joinedTooLate({ received, visits }: RoomClient, { id, completedAt }: ClusterSession): boolean {
  return !received.has(id) && visits.some(({ at, named }) => completedAt <= at && !named.has(id));
}
