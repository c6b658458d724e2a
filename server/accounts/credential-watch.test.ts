import { expect, onTestFinished, test, vi } from "vitest";
import { AppError } from "../lib/errors.ts";
import { createCredentialWatch } from "./credential-watch.ts";

/** Every credential that is watched ends with the error of its subject. */
function openWatch() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const messages: string[] = [];
  const { watch, ...rest } = createCredentialWatch((message) => void messages.push(message));
  const errors = new Map<string, Error>();
  const ended: string[] = [];
  return {
    ...rest,
    messages,
    errors,
    ended,
    watchOf: (...subjects: string[]) =>
      watch({
        subjects,
        check: () => {
          const error = errors.get(subjects[0]!);
          return error === undefined ? Promise.resolve() : Promise.reject(error);
        },
        onEnd: () => void ended.push(subjects[0]!),
      }),
    settle: () => vi.advanceTimersByTimeAsync(0),
  };
}

const revoked = new AppError("invalid_api_key", "revoked");

test("a change of a workspace or an account ends its credentials that are no longer valid, and no others", async () => {
  const { watchOf, changed, errors, ended, messages, settle } = openWatch();
  for (const subjects of [["team", "ada"], ["other", "ada"], ["third"]]) watchOf(...subjects);
  changed("ada");
  await settle();
  expect(ended).toEqual([]);
  errors.set("team", revoked).set("third", revoked);
  changed("ada");
  await settle();
  expect(ended).toEqual(["team"]);
  // A database drops a message that repeats an earlier one.
  expect(messages).toEqual([expect.stringMatching(/^ada ./), expect.stringMatching(/^ada ./)]);
  expect(new Set(messages).size).toBe(2);
});

test("a message of another process checks its subject, an empty one checks all", async () => {
  const { watchOf, onPeerMessage, errors, ended, settle } = openWatch();
  for (const subject of ["team", "other"]) {
    watchOf(subject);
    errors.set(subject, revoked);
  }
  onPeerMessage("team 1");
  await settle();
  expect(ended).toEqual(["team"]);
  onPeerMessage("");
  await settle();
  expect(ended).toEqual(["team", "other"]);
});

test("a credential is checked after a second and every half minute", async () => {
  const { watchOf, errors, ended } = openWatch();
  errors.set("first", revoked);
  for (const subject of ["first", "later"]) watchOf(subject);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(["first"]);
  errors.set("later", revoked);
  await vi.advanceTimersByTimeAsync(28_999);
  expect(ended).toEqual(["first"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(["first", "later"]);
});

test("a stream ends once, also when several checks of its credential fail", async () => {
  const { watchOf, changed, errors, ended, settle } = openWatch();
  errors.set("team", revoked);
  watchOf("team");
  for (let check = 0; check < 3; check++) changed("team");
  await settle();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual(["team"]);
});

test("a stopped watch ends nothing, also when a check is in flight", async () => {
  const { watchOf, changed, errors, ended } = openWatch();
  errors.set("team", revoked);
  watchOf("team")();
  const stop = watchOf("team");
  changed("team");
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual([]);
});

test("a database that cannot be read ends no stream", async () => {
  const { watchOf, changed, errors, ended, settle } = openWatch();
  watchOf("team");
  for (const error of [
    new Error("away"),
    new AppError("storage_unavailable", "away"),
    new AppError("internal_error", "failed"),
  ]) {
    errors.set("team", error);
    changed("team");
    await settle();
  }
  expect(ended).toEqual([]);
});
