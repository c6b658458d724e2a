import { EventEmitter } from "node:events";
import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import { sendEvents } from "./send-events.ts";

/** A client that reads nothing until `drain` is emitted. */
function openReply() {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    closed: false,
    writeHead: () => undefined,
    write: (text: string) => written.push(text) < 0,
    end: () => void written.push("end"),
  });
  const reply = { raw: response, hijack: () => undefined, getHeaders: () => ({}) };
  return { reply: reply as unknown as FastifyReply, response, written };
}

const fail = () => ({ failed: true });

test("the next event is asked for when the client has read the last one, or has left", async () => {
  const { reply, response, written } = openReply();
  let asked = 0;
  async function* events() {
    for (const number of [1, 2, 3]) {
      asked = number;
      yield await Promise.resolve({ number });
    }
  }
  const sent = sendEvents(reply, events(), fail);
  await expect.poll(() => written.length).toBe(1);
  expect(asked).toBe(1);
  response.emit("drain");
  await expect.poll(() => written.length).toBe(2);
  expect(asked).toBe(2);
  response.emit("close");
  await sent;
  expect(written).toEqual([1, 2, 3].map((number) => `data: {"number":${number}}\n\n`).concat("end"));
});

test("a large event is written in turns of the event loop", async () => {
  const { reply, response, written } = openReply();
  response.emit("close");
  response.closed = true;
  const list = Array.from({ length: 200_000 }, (_, index) => [index]);
  async function* events() {
    yield await Promise.resolve(list);
  }
  let turns = 0;
  let isSent = false;
  setImmediate(function turn() {
    turns += 1;
    if (!isSent) setImmediate(turn);
  });
  await sendEvents(reply, events(), fail);
  isSent = true;
  expect(written[0]).toBe(`data: ${JSON.stringify(list)}\n\n`);
  expect(turns).toBeGreaterThan(2);
});
