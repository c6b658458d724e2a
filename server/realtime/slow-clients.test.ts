import { EventEmitter } from "node:events";
import type { Socket } from "socket.io";
import { expect, test } from "vitest";
import { drained } from "./slow-clients.ts";

test("twenty sessions wait with one listener for a client that reads slowly, and continue when it has read", async () => {
  const connection = Object.assign(new EventEmitter(), { writeBuffer: [{ data: "x".repeat(2_000_000) }] });
  const socket = { conn: connection as unknown as Socket["conn"] };
  const waiting = Array.from({ length: 20 }, () => drained(socket));
  expect(connection.listenerCount("drain")).toBe(1);
  for (const event of ["drain", "close"]) {
    const next = drained(socket);
    connection.emit(event);
    await next;
    expect([connection.listenerCount("drain"), connection.listenerCount("close")]).toEqual([0, 0]);
  }
  for (const each of waiting) await each;
  connection.writeBuffer = [];
  expect(drained(socket)).toBeUndefined();
});
