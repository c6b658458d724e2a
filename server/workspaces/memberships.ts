import { randomUUID } from "node:crypto";
import type { Role } from "../../contract/roles.ts";
import type { Clock } from "../lib/clock.ts";
import { createSizedCache } from "../lib/sized-cache.ts";

export interface MembershipsDeps {
  /** Undefined for a person who is not a member, and for a workspace that is being deleted. */
  findRole(workspaceId: string, userId: string): Promise<Role | undefined>;
  exists(workspaceId: string): Promise<boolean>;
  clock: Clock;
  /** Sends the message to the other processes. */
  publish(message: string): void;
}

interface Watcher {
  workspaceId: string;
  userId: string;
  role: Role;
  onEnd: () => void;
}

const MAX_CACHED = 20_000;
/** Marks a message of `endConnections`. */
const END = "end";
/** Bounds how long a removed member keeps access in another process if the notification is lost. */
const CACHE_MS = 30_000;

export type Memberships = ReturnType<typeof createMemberships>;

/** The role of a person in a workspace. It is cached, so that a request costs no query. */
export function createMemberships({ findRole, exists, clock, publish }: MembershipsDeps) {
  let cache = createSizedCache<{ role: Role; until: number }>(MAX_CACHED);
  /** A read that began before a change must not be cached after it. */
  let changes = 0;
  const watchers = new Map<string, Set<Watcher>>();
  const listeners: (() => void)[] = [];

  async function roleOf(workspaceId: string, userId: string): Promise<Role | undefined> {
    // The personal workspace has the id of its only member.
    if (workspaceId === userId) return "owner";
    const key = `${workspaceId} ${userId}`;
    const hit = cache.get(key);
    if (hit !== undefined && hit.until > clock.monotonic()) return hit.role;
    const before = changes;
    const role = await findRole(workspaceId, userId);
    if (role !== undefined && before === changes)
      cache.set(key, { role, until: clock.monotonic() + CACHE_MS }, 1);
    return role;
  }

  /** A database that cannot be read ends no connection. */
  function recheck(watcher: Watcher): void {
    roleOf(watcher.workspaceId, watcher.userId).then(
      (now) => {
        if (now !== watcher.role) end(watcher);
      },
      () => undefined,
    );
  }

  /** Several checks may be in flight: the first that fails ends it. */
  function end(watcher: Watcher): void {
    if (unwatch(watcher)) watcher.onEnd();
  }

  /** False when it had been removed. */
  function unwatch(watcher: Watcher): boolean {
    const watching = watchers.get(watcher.workspaceId);
    const isRemoved = watching?.delete(watcher) ?? false;
    if (watching?.size === 0) watchers.delete(watcher.workspaceId);
    return isRemoved;
  }

  /** An empty id means all workspaces. */
  function forget(workspaceId: string): void {
    changes += 1;
    for (const listener of listeners) listener();
    cache = createSizedCache(MAX_CACHED);
    for (const [watched, watching] of watchers)
      if (workspaceId === "" || watched === workspaceId) for (const watcher of watching) recheck(watcher);
  }

  /** Ends the connections of all members: a record that they followed belongs to another workspace. They connect again and are checked again. */
  function endHere(workspaceId: string): void {
    for (const watcher of watchers.get(workspaceId) ?? []) end(watcher);
  }

  return {
    roleOf,
    exists,

    /** Calls `onEnd` one time when the role is another one or gone, for connections that outlive a request. */
    watch(workspaceId: string, userId: string, role: Role, onEnd: () => void): () => void {
      const watcher = { workspaceId, userId, role, onEnd };
      const watching = watchers.get(workspaceId) ?? new Set();
      watchers.set(workspaceId, watching.add(watcher));
      // The role may have changed between its check and this call.
      recheck(watcher);
      return () => void unwatch(watcher);
    },

    /** Calls `listener` whenever members of any workspace have changed, in any process. */
    onChanged: (listener: () => void): void => void listeners.push(listener),

    /** The members of this workspace or their roles have changed; empty for many workspaces. */
    changed(workspaceId: string): void {
      forget(workspaceId);
      // Every message is unique: the database drops a repeated one.
      publish(`${workspaceId} ${randomUUID()}`);
    },

    /** Ends the sockets and streams of the members, in every process. */
    endConnections(workspaceId: string): void {
      endHere(workspaceId);
      publish(`${workspaceId} ${randomUUID()} ${END}`);
    },

    /** A message of another process; empty when messages may have been missed. */
    onPeerMessage(message: string): void {
      const [workspaceId = "", , kind] = message.split(" ");
      if (kind === END) endHere(workspaceId);
      else forget(workspaceId);
    },
  };
}
