import { randomUUID } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import { type Claims, TOKEN_LIFETIME_MS, type Tokens } from "../security/tokens.ts";
import type { KnownLogin, LoginMethod, LoginStore } from "./login.sql.ts";

export interface LoginsDeps {
  tokens: Tokens;
  store: LoginStore;
  clock: Clock;
  /** Sends the message to the other processes. */
  publish(message: string): void;
}

export interface ClientInfo {
  userAgent: string | null;
  address: string | null;
}

export interface Login {
  userId: string;
  /** Empty for a token from before sessions were recorded. */
  sessionId: string;
}

interface Watcher {
  userId: string;
  token: string;
  onEnd: () => void;
}

const MAX_CACHED = 20_000;
/** Bounds how long an ended login works in another process if the notification is lost. */
const CACHE_MS = 30_000;

export type Logins = ReturnType<typeof createLogins>;

/** Issues tokens and ends them. A verified login is cached, so that a request costs no query. */
export function createLogins({ tokens, store, clock, publish }: LoginsDeps) {
  let cache = createSizedCache<{ value: KnownLogin; until: number }>(MAX_CACHED);
  /** A read that began before a change must not be cached after it. */
  let changes = 0;
  const watchers = new Map<string, Set<Watcher>>();

  async function cached(key: string, read: () => Promise<KnownLogin | undefined>) {
    const hit = cache.get(key);
    if (hit !== undefined && hit.until > clock.monotonic()) return hit.value;
    const before = changes;
    const value = await read();
    if (value !== undefined && before === changes)
      cache.set(key, { value, until: clock.monotonic() + CACHE_MS }, 1);
    return value;
  }

  function find({ userId, sessionId }: Claims): Promise<KnownLogin | undefined> {
    return sessionId === undefined
      ? cached(userId, () => store.findByUser(userId))
      : cached(sessionId, () => store.findBySession(sessionId));
  }

  async function verify(token: string): Promise<Login & { name: string }> {
    const claims = await tokens.verify(token);
    const known = await find(claims);
    if (known?.userId !== claims.userId || claims.issuedAt < known.validFrom)
      throw new AppError("invalid_token", "This login has ended. Log in again.");
    return { userId: claims.userId, sessionId: claims.sessionId ?? "", name: known.name };
  }

  /** A database that cannot be read ends no connection. */
  function recheck(watcher: Watcher): void {
    verify(watcher.token).catch((error: unknown) => {
      // Several checks may be in flight: the first that fails ends it.
      if (error instanceof AppError && error.code === "invalid_token" && unwatch(watcher)) watcher.onEnd();
    });
  }

  /** False when it had been removed. */
  function unwatch(watcher: Watcher): boolean {
    const watching = watchers.get(watcher.userId);
    const isRemoved = watching?.delete(watcher) ?? false;
    if (watching?.size === 0) watchers.delete(watcher.userId);
    return isRemoved;
  }

  /** An empty user id means all users. */
  function forget(userId: string): void {
    changes += 1;
    cache = createSizedCache(MAX_CACHED);
    for (const [watchedUser, watching] of watchers)
      if (userId === "" || watchedUser === userId) for (const watcher of watching) recheck(watcher);
  }

  function ended(userId: string): void {
    forget(userId);
    // Every message is unique: the database drops a repeated one.
    publish(`${userId} ${randomUUID()}`);
  }

  return {
    verify,

    /** `passwordHash` is the one that was verified. */
    async begin(
      userId: string,
      passwordHash: string,
      client: ClientInfo,
      method: LoginMethod = "password",
    ): Promise<string> {
      const createdAt = clock.now();
      const id = createId("login", createdAt);
      const expiresAt = createdAt + TOKEN_LIFETIME_MS;
      if (!(await store.insert({ id, userId, ...client, createdAt, expiresAt, method }, passwordHash)))
        throw new AppError("invalid_credentials", "The password was changed. Log in with the new one.");
      return tokens.issue(userId, id);
    },

    /** Calls `onEnd` one time when the token is no longer valid, for connections that outlive a request. */
    watch(userId: string, token: string, onEnd: () => void): () => void {
      const watcher = { userId, token, onEnd };
      const watching = watchers.get(userId) ?? new Set();
      watchers.set(userId, watching.add(watcher));
      // The login may have ended between its check and this call.
      recheck(watcher);
      return () => void unwatch(watcher);
    },

    /** A message of another process; empty when messages may have been missed. */
    onPeerMessage: (message: string): void => forget(message.split(" ")[0] ?? ""),

    list: store.list,
    find: store.find,

    async end(userId: string, sessionId: string): Promise<void> {
      await store.end(userId, sessionId);
      ended(userId);
    },

    /** Ends the login of the caller. A token without a session ends together with all others of its kind. */
    async endOwn({ userId, sessionId }: Login): Promise<void> {
      if (sessionId === "") await store.endOldTokens(userId, clock.now());
      else await store.end(userId, sessionId);
      ended(userId);
    },

    async endAll(userId: string): Promise<void> {
      await store.endAll(userId, clock.now());
      ended(userId);
    },

    /** The account is being deleted: its logins are gone. */
    ended,

    async changePassword({ userId, sessionId }: Login, oldHash: string, newHash: string): Promise<boolean> {
      const change = { userId, oldHash, newHash, keptSession: sessionId, now: clock.now() };
      const isChanged = await store.changePassword(change);
      if (isChanged) ended(userId);
      return isChanged;
    },
  };
}
