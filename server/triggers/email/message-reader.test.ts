import { expect, onTestFinished, test } from "vitest";
import { openMessageReader } from "./message-reader.ts";

const message = Buffer.from("Subject: Hi\n\nHello\n");

test("a message that takes longer than its time is unreadable, and the reader serves the next one", async () => {
  const { signal } = new AbortController();
  // The worker alone takes longer than this to start.
  const hurried = openMessageReader({ timeoutMs: 1 });
  onTestFinished(hurried.close);
  const error = { error: "The message cannot be read." };
  expect((await hurried.read(message, false, signal)).fields).toMatchObject(error);
  expect((await hurried.read(message, true, signal)).fields).toMatchObject({ ...error, isCut: true });
  const patient = openMessageReader();
  onTestFinished(patient.close);
  expect((await patient.read(message, false, signal)).fields).toMatchObject({ subject: "Hi" });
});

test("a check that is aborted does not take the message for unreadable", async () => {
  const reader = openMessageReader();
  onTestFinished(reader.close);
  const reason = new Error("stopping");
  const stop = new AbortController();
  const reading = reader.read(message, false, stop.signal);
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
