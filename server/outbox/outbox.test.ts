import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { AppError } from "../lib/errors.ts";
import type { GuardedInit, GuardedResponse } from "../security/guarded-fetch.ts";
import type { Db } from "../storage/db.ts";
import { MAX_ATTEMPTS } from "./backoff.ts";
import { createOutbox, type Outbox, type Receivers } from "./outbox.ts";
import { CLAIM_MS, createOutboxStore, type OutboxDelivery, type OutboxStore } from "./outbox-delivery.sql.ts";

const START = 1_800_000_000_000;
let db: Db;
let store: OutboxStore;
let close: () => Promise<void>;
let now: number;
const opened: Outbox[] = [];
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  store = createOutboxStore(db);
  now = START;
});
afterEach(async () => {
  for (const outbox of opened.splice(0)) await outbox.close();
  await close();
});

const message = (ownerId = "ada", targetId = "sub") => ({
  ownerId,
  kind: "event",
  targetId,
  label: "test",
  subject: null,
  contentType: "application/json",
  body: '{"a":1}',
});

interface Given extends Partial<Receivers> {
  respond?(init: GuardedInit, url: string): Promise<Partial<GuardedResponse>> | Partial<GuardedResponse>;
}

function openOutbox({
  respond = () => ({}),
  find = () => Promise.resolve({ url: "http://receiver/", secrets: ["whsec_AAAA"] }),
  disable = () => Promise.resolve(),
}: Given = {}) {
  const sent: { url: string; headers: Record<string, string>; body: string }[] = [];
  const outbox = createOutbox({
    store,
    clock: { now: () => now, monotonic: () => now },
    egress: {
      async fetch(url, init = {}) {
        sent.push({ url: String(url), headers: init.headers ?? {}, body: String(init.body) });
        return {
          status: 200,
          headers: {},
          body: Buffer.from(""),
          url: "",
          ...(await respond(init, String(url))),
        };
      },
    },
    random: () => 0.5,
    notify: () => outbox.poll(),
    onError(error) {
      throw error;
    },
  });
  outbox.handle("event", { find, disable });
  opened.push(outbox);
  return { outbox, sent };
}

const only = async (): Promise<OutboxDelivery> => (await store.list("event", "sub", { limit: 10 })).items[0]!;
const attempted = (attempts: number) =>
  vi.waitFor(async () => {
    const delivery = await only();
    expect(delivery).toMatchObject({ attempts, lastAttemptAt: now });
    expect(delivery.dueAt).not.toBe(now + CLAIM_MS);
    return delivery;
  });

test("a message is sent once, signed, and recorded as delivered", async () => {
  const { outbox, sent } = openOutbox({
    respond: () => ({ status: 202, body: Buffer.from("thanks\0!") }),
    find: () =>
      Promise.resolve({ url: "http://r/", secrets: ["whsec_AAAA"], headers: { authorization: "Bearer x" } }),
  });
  await outbox.enqueue([message()]);
  const delivery = await attempted(1);
  expect(delivery).toMatchObject({
    status: "delivered",
    dueAt: null,
    responseStatus: 202,
    responseExcerpt: "thanks!",
    error: null,
  });
  outbox.poll();
  await outbox.close();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    body: '{"a":1}',
    headers: {
      authorization: "Bearer x",
      "content-type": "application/json",
      "webhook-id": delivery.id,
      "webhook-signature": expect.stringMatching(/^v1,/) as string,
    },
  });
});

test("a message is tried again with the same id until the attempts are used up", async () => {
  const { outbox, sent } = openOutbox({ respond: () => ({ status: 500, body: Buffer.from("oops") }) });
  await outbox.enqueue([message()]);
  for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts++) {
    const { status, dueAt, responseExcerpt } = await attempted(attempts);
    expect([status, responseExcerpt]).toEqual(["pending", "oops"]);
    now = dueAt!;
    outbox.poll();
  }
  expect(await attempted(MAX_ATTEMPTS)).toMatchObject({
    status: "failed",
    dueAt: null,
    error: "The receiver responded with status 500.",
  });
  expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("a receiver that cannot be reached is tried again; an address that the guard refuses is not", async () => {
  let error = new AppError("connection_failed", "The connection failed.", { retryable: true });
  const { outbox } = openOutbox({ respond: () => Promise.reject(error) });
  await outbox.enqueue([message()]);
  const { dueAt } = await attempted(1);
  expect(dueAt).toBe(START + 5_000);
  now = dueAt!;
  error = new AppError("egress_denied", "This address is private.");
  outbox.poll();
  expect(await attempted(2)).toMatchObject({ status: "failed", error: "This address is private." });
});

test("410 ends the message and disables its receiver", async () => {
  const disabled: string[] = [];
  const { outbox } = openOutbox({
    respond: () => ({ status: 410 }),
    disable: (targetId) => Promise.resolve(void disabled.push(targetId)),
  });
  await outbox.enqueue([message()]);
  expect(await attempted(1)).toMatchObject({ status: "failed", responseStatus: 410 });
  expect(disabled).toEqual(["sub"]);
});

test("a message to a receiver that was switched off fails without a request", async () => {
  const { outbox, sent } = openOutbox({ find: () => Promise.resolve(undefined) });
  await outbox.enqueue([message()]);
  expect(await attempted(1)).toMatchObject({ status: "failed" });
  expect(sent).toEqual([]);
});

test("Retry-After delays the next attempt, and a redirect is not followed", async () => {
  let maxRedirects: number | undefined;
  const { outbox } = openOutbox({
    respond: (init) => {
      ({ maxRedirects } = init);
      return { status: 302, headers: { "retry-after": "600", location: "http://elsewhere/" } };
    },
  });
  await outbox.enqueue([message()]);
  expect(await attempted(1)).toMatchObject({ status: "pending", dueAt: START + 600_000 });
  expect(maxRedirects).toBe(0);
});

test("a claimed message is claimed by no other process until the claim expires", async () => {
  await store.insert([message()], now);
  const shares = [{ ownerId: "ada", count: 5 }];
  const [claimed] = await store.claim(shares, now);
  expect(await store.claim(shares, now + CLAIM_MS - 1)).toEqual([]);
  expect(await store.dueOwners(now + CLAIM_MS - 1)).toEqual([]);
  const [again] = await store.claim(shares, now + CLAIM_MS);
  expect(again).toMatchObject({ id: claimed!.id, attempts: 2 });
  // The first process was only slow: its outcome no longer counts.
  await store.record(claimed!, {
    status: "failed",
    dueAt: null,
    responseStatus: null,
    responseExcerpt: null,
    error: "late",
    at: now,
  });
  expect(await only()).toMatchObject({ status: "pending", attempts: 2 });
});

test("closing releases the messages whose attempt was not finished, and their attempt does not count", async () => {
  let started = 0;
  const { outbox } = openOutbox({
    respond: ({ signal }) =>
      new Promise((_resolve, reject) => {
        started += 1;
        signal!.addEventListener("abort", () =>
          reject(new AppError("aborted", "The request was cancelled.")),
        );
      }),
  });
  await outbox.enqueue([message()]);
  await vi.waitFor(() => expect(started).toBe(1));
  await outbox.close();
  expect(await only()).toMatchObject({ status: "pending", attempts: 0, dueAt: now });
});

test("an owner whose receivers hang does not delay the messages of others", async () => {
  const { outbox, sent } = openOutbox({
    find: (targetId) => Promise.resolve({ url: `http://${targetId}/`, secrets: [] }),
    respond: ({ signal }, url) =>
      url === "http://slow/"
        ? new Promise((_resolve, reject) => {
            const end = () => reject(new AppError("aborted", ""));
            // Already aborted when the outbox closes while it claims messages.
            if (signal!.aborted) end();
            else signal!.addEventListener("abort", end);
          })
        : {},
  });
  await outbox.enqueue(Array.from({ length: 100 }, () => message("mallory", "slow")));
  await outbox.enqueue(Array.from({ length: 20 }, () => message("ada")));
  await vi.waitFor(async () => {
    const { items } = await store.list("event", "sub", { limit: 50 });
    expect(items.filter(({ status }) => status === "delivered")).toHaveLength(20);
  });
  expect(sent.filter(({ url }) => url === "http://slow/")).toHaveLength(4);
});

test("an ended message can be sent again with all its attempts, and only by its receiver", async () => {
  let status = 410;
  const { outbox, sent } = openOutbox({ respond: () => ({ status }) });
  await outbox.enqueue([message()]);
  const { id } = await attempted(1);
  expect(await outbox.resend("event", "other", id)).toBeUndefined();
  status = 200;
  now += 1000;
  expect(await outbox.resend("event", "sub", id)).toMatchObject({ status: "pending", attempts: 0 });
  expect(await attempted(1)).toMatchObject({ status: "delivered" });
  expect(sent).toHaveLength(2);
});

test("ended messages expire, pending ones never do", async () => {
  await store.insert([message(), message("ada", "other")], now);
  const [ended] = await store.claim([{ ownerId: "ada", count: 1 }], now);
  const outcome = { dueAt: null, responseStatus: 200, responseExcerpt: null, error: null, at: now };
  await store.record(ended!, { status: "delivered", ...outcome });
  expect(await store.prune(now - 1, 10)).toBe(0);
  expect(await store.prune(now, 10)).toBe(1);
  expect(await store.dueOwners(now + CLAIM_MS)).toHaveLength(1);
});
