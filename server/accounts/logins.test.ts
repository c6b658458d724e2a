import { SignJWT } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { AppError } from "../lib/errors.ts";
import { createTokens } from "../security/tokens.ts";
import { createLoginStore, type LoginStore } from "./login.sql.ts";
import { createLogins } from "./logins.ts";

const SECRET = "a secret of at least thirty-two bytes";
const CLIENT = { userAgent: null, address: null };
const START = Date.UTC(2026, 0, 1);
const ended = { code: "invalid_token" };

/** Two processes on one database, with the accounts ada and bob. */
async function openProcesses(change: (store: LoginStore) => Partial<LoginStore> = () => ({})) {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertAccounts(db, ["ada", "bob"]);
  let time = START;
  const clock = { now: () => time, monotonic: () => time };
  const tokens = createTokens({ secrets: [SECRET], clock });
  const messages: string[] = [];
  const open = () => {
    const store = createLoginStore(db);
    const publish = (message: string) => void messages.push(message);
    return createLogins({ tokens, store: { ...store, ...change(store) }, clock, publish });
  };
  return { logins: open(), peer: open(), messages, tokens, advance: (ms: number) => void (time += ms) };
}

/** As issued before logins were recorded: it names no session. */
function oldToken(issuedAt: number): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject("ada")
    .setIssuer("baton")
    .setAudience("baton")
    .setIssuedAt(issuedAt / 1000)
    .setExpirationTime(issuedAt / 1000 + 86_400)
    .sign(Buffer.from(SECRET));
}

test("a login is valid until it ends, and no other login ends with it", async () => {
  const { logins } = await openProcesses();
  const [first, second] = [
    await logins.begin("ada", "hash", CLIENT),
    await logins.begin("ada", "hash", CLIENT),
  ];
  const login = await logins.verify(first);
  expect(login).toEqual({
    userId: "ada",
    sessionId: expect.stringMatching(/^login_/),
    name: "ada@example.com",
  });
  await logins.endOwn(login);
  await expect(logins.verify(first)).rejects.toMatchObject(ended);
  expect(await logins.verify(second)).toMatchObject({ userId: "ada" });
  await logins.endAll("ada");
  await expect(logins.verify(second)).rejects.toMatchObject(ended);
});

test("[S22] no login begins with a password that was changed in the meantime", async () => {
  const { logins } = await openProcesses();
  await expect(logins.begin("ada", "old hash", CLIENT)).rejects.toMatchObject({
    code: "invalid_credentials",
  });
});

test("a login lasts as long as its token and has its client and method", async () => {
  const { logins } = await openProcesses();
  const client = { userAgent: "Firefox", address: "203.0.113.7" };
  const { sessionId } = await logins.verify(await logins.begin("ada", "hash", client, "oidc"));
  expect(await logins.find(sessionId)).toEqual({
    id: sessionId,
    userId: "ada",
    ...client,
    createdAt: START,
    expiresAt: START + 7 * 86_400_000,
    method: "oidc",
  });
});

test("[S22] a token for the session of another account is not valid", async () => {
  const { logins, tokens } = await openProcesses();
  const { sessionId } = await logins.verify(await logins.begin("ada", "hash", CLIENT));
  await expect(logins.verify(await tokens.issue("bob", sessionId))).rejects.toMatchObject(ended);
  await expect(logins.verify(await tokens.issue("ada", "login_unknown"))).rejects.toMatchObject(ended);
});

test("a verified login costs no query for half a minute", async () => {
  const reads: string[] = [];
  const { logins, advance } = await openProcesses(({ findBySession }) => ({
    findBySession: (id) => (reads.push(id), findBySession(id)),
  }));
  const token = await logins.begin("ada", "hash", CLIENT);
  for (const waitMs of [0, 29_999]) {
    advance(waitMs);
    await logins.verify(token);
  }
  expect(reads).toHaveLength(1);
  advance(1);
  await logins.verify(token);
  expect(reads).toHaveLength(2);
});

test("[S22] a login that was read before it ended is not cached after it", async () => {
  const reads: (() => void)[] = [];
  const { logins } = await openProcesses(({ findBySession }) => ({
    async findBySession(id) {
      const found = await findBySession(id);
      await new Promise<void>((resolve) => reads.push(resolve));
      return found;
    },
  }));
  const token = await logins.begin("ada", "hash", CLIENT);
  const before = logins.verify(token);
  await expect.poll(() => reads.length).toBe(1);
  await logins.endAll("ada");
  reads[0]!();
  await before;
  const after = expect(logins.verify(token)).rejects.toMatchObject(ended);
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!();
  await after;
});

test("[S22] another process forgets an ended login with the message about it, or when messages were missed", async () => {
  const { logins, peer, messages } = await openProcesses();
  for (const missed of [false, true]) {
    const token = await logins.begin("ada", "hash", CLIENT);
    const login = await peer.verify(token);
    await logins.end(login.userId, login.sessionId);
    // Cached until the message arrives.
    expect(await peer.verify(token)).toEqual(login);
    peer.onPeerMessage(missed ? "" : messages.at(-1)!);
    await expect(peer.verify(token)).rejects.toMatchObject(ended);
  }
  // A database drops a message that repeats an earlier one.
  expect(messages).toEqual([expect.stringMatching(/^ada ./), expect.stringMatching(/^ada ./)]);
  expect(new Set(messages).size).toBe(2);
});

test("[S22] the end of a login ends what watches it, in every process, and nothing else", async () => {
  const { logins, peer, messages } = await openProcesses();
  const ends = new Set<string>();
  const tokens = {
    ada: await logins.begin("ada", "hash", CLIENT),
    other: await logins.begin("ada", "hash", CLIENT),
    bob: await logins.begin("bob", "hash", CLIENT),
  };
  logins.watch("ada", tokens.ada, () => ends.add("here"));
  logins.watch("ada", tokens.other, () => ends.add("other"));
  logins.watch("bob", tokens.bob, () => ends.add("bob"));
  logins.watch("ada", tokens.ada, () => ends.add("stopped"))();
  // Cached there, so that only the message ends it.
  await peer.verify(tokens.ada);
  peer.watch("ada", tokens.ada, () => ends.add("peer"));
  await logins.endOwn(await logins.verify(tokens.ada));
  await expect.poll(() => [...ends]).toEqual(["here"]);
  peer.onPeerMessage(messages.at(-1)!);
  await expect.poll(() => [...ends]).toEqual(["here", "peer"]);
  // What begins to watch an ended login ends at once.
  logins.watch("ada", tokens.ada, () => ends.add("late"));
  await expect.poll(() => [...ends]).toEqual(["here", "peer", "late"]);
});

test("[S22] what watches a login ends one time, however many checks are under way", async () => {
  const reads: (() => void)[] = [];
  let isHeld = false;
  const { logins } = await openProcesses(({ findBySession }) => ({
    async findBySession(id) {
      if (isHeld) await new Promise<void>((resolve) => reads.push(resolve));
      return findBySession(id);
    },
  }));
  const token = await logins.begin("ada", "hash", CLIENT);
  const login = await logins.verify(token);
  let ends = 0;
  logins.watch("ada", token, () => (ends += 1));
  isHeld = true;
  await logins.endOwn(login);
  logins.onPeerMessage("ada again");
  const last = expect(logins.verify(token)).rejects.toMatchObject(ended);
  await expect.poll(() => reads.length).toBeGreaterThanOrEqual(3);
  isHeld = false;
  for (const read of reads) read();
  await last;
  expect(ends).toBe(1);
});

test("when messages may have been missed, every watched login is checked again", async () => {
  const { logins, peer } = await openProcesses();
  const ends = new Set<string>();
  for (const user of ["ada", "bob"]) {
    const token = await logins.begin(user, "hash", CLIENT);
    await peer.verify(token);
    peer.watch(user, token, () => ends.add(user));
    await logins.endAll(user);
  }
  peer.onPeerMessage("");
  await expect.poll(() => [...ends].toSorted()).toEqual(["ada", "bob"]);
});

test("a database that cannot be read ends no connection", async () => {
  let isDown = false;
  const checks = vi.fn<() => void>();
  const { logins } = await openProcesses(({ findBySession }) => ({
    async findBySession(id) {
      checks();
      if (isDown) throw new AppError("storage_unavailable", "the database is away");
      return findBySession(id);
    },
  }));
  const token = await logins.begin("ada", "hash", CLIENT);
  const ends = new Set<string>();
  logins.watch("ada", token, () => ends.add("ada"));
  await logins.verify(token);
  isDown = true;
  checks.mockClear();
  logins.onPeerMessage("");
  await expect.poll(() => checks.mock.calls.length).toBe(1);
  await expect(logins.verify(token)).rejects.toThrow("the database is away");
  expect(ends.size).toBe(0);
});

test("[S22] tokens without a session end together, and those that are issued later are valid", async () => {
  const { logins, advance } = await openProcesses();
  const token = await oldToken(START);
  const login = await logins.verify(token);
  expect(login).toEqual({ userId: "ada", sessionId: "", name: "ada@example.com" });
  advance(5000);
  await logins.endOwn(login);
  await expect(logins.verify(token)).rejects.toMatchObject(ended);
  expect(await logins.verify(await oldToken(START + 5000))).toMatchObject({ userId: "ada" });
});

test("[S22] a changed password ends every login but the one that changed it", async () => {
  const { logins, messages } = await openProcesses();
  const [kept, other] = [
    await logins.begin("ada", "hash", CLIENT),
    await logins.begin("ada", "hash", CLIENT),
  ];
  const login = await logins.verify(kept);
  await logins.verify(other);
  expect(await logins.changePassword(login, "hash", "new hash")).toBe(true);
  expect(await logins.verify(kept)).toEqual(login);
  await expect(logins.verify(other)).rejects.toMatchObject(ended);
  // A change that lost to another one ends nothing.
  const newer = await logins.begin("ada", "new hash", CLIENT);
  expect(await logins.changePassword(login, "hash", "a third")).toBe(false);
  expect(await logins.verify(newer)).toMatchObject({ userId: "ada" });
  expect(messages).toHaveLength(1);
});
