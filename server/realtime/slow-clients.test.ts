import { EventEmitter } from "node:events";
import type { Socket } from "socket.io";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendInTurn } from "./slow-clients.ts";

const MEGABYTE = "x".repeat(1_000_000);

function connect() {
  const terminate = vi.fn<() => void>();
  const connection = Object.assign(new EventEmitter(), {
    writeBuffer: [] as { data: string }[],
    transport: { socket: { terminate } },
    close: () => void connection.emit("close"),
  });
  const sent: number[] = [];
  return {
    connection,
    terminate,
    sent,
    send: (session: number) =>
      sendInTurn({ conn: connection as unknown as Socket["conn"] }, () => {
        sent.push(session);
        connection.writeBuffer.push({ data: MEGABYTE });
      }),
    read(): void {
      connection.writeBuffer = [];
      connection.emit("drain");
    },
  };
}

test("twenty sessions with large messages take turns for a client that reads slowly", async () => {
  const { connection, sent, send, read } = connect();
  const catchUp = async (session: number): Promise<void> => {
    for (let n = 0; n < 3; n++) await send(session);
  };
  const done = Promise.all(Array.from({ length: 20 }, (_, session) => catchUp(session)));
  const unread: number[] = [];
  for (let n = 0; n < 40; n++) {
    await new Promise((resolve) => setImmediate(resolve));
    unread.push(connection.writeBuffer.length);
    expect(connection.listenerCount("drain")).toBeLessThanOrEqual(1);
    read();
  }
  await done;
  expect(Math.max(...unread)).toBe(2);
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => Math.floor(n / 3)));
  expect([connection.listenerCount("drain"), connection.listenerCount("close")]).toEqual([0, 0]);
});

test("what waits for a client that leaves is not sent, and holds nothing up", async () => {
  const { connection, sent, send } = connect();
  const waiting = [1, 2, 3, 4].map(send);
  connection.emit("close");
  for (const each of waiting) await each;
  expect(sent).toEqual([1, 2]);
  expect([connection.listenerCount("drain"), connection.listenerCount("close")]).toEqual([0, 0]);
});

test("a client is disconnected when it reads nothing for 30 seconds, and not while it reads slowly", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { terminate, send, read } = connect();
  for (let session = 0; session < 20; session++) void send(session);
  for (let n = 0; n < 5; n++) {
    vi.advanceTimersByTime(29_000);
    read();
  }
  expect(terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(terminate).toHaveBeenCalledTimes(1);
});
