import {
  type CreateTrigger,
  type StoredTrigger,
  type StoredTriggerKind,
  type TriggerListQuery,
  type TriggerSettings,
  triggerSettings,
  type UpdateTrigger,
} from "../../contract/triggers.ts";
import type { PageQuery } from "../../contract/api.ts";
import { type Clock, laterThan, toIso } from "../lib/clock.ts";
import { createDeadline } from "../lib/deadline.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Limits } from "../limits/limits.ts";
import { createConnectionCount } from "../limits/open-streams.ts";
import { triggerContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { holdsSubscription } from "./subscription.ts";
import { CHECK_TIMEOUT_MS, type TriggerSource } from "./source.ts";
import type { FoundItem } from "./trigger-claims.sql.ts";
import type { TriggerRecord, TriggerStore } from "./trigger.sql.ts";

export interface TriggersDeps {
  store: TriggerStore;
  box: SecretBox;
  clock: Clock;
  limits: Pick<Limits, "exceeds" | "max" | "refuse">;
  /** 0 allows any interval. */
  minIntervalSeconds: number;
  sourceOf(kind: StoredTriggerKind): TriggerSource<StoredTriggerKind> | undefined;
  /** Throws `workflow_not_found` or `forbidden`. */
  checkWorkflow(ownerId: string, workflowId: string): Promise<void>;
  /** Throws `agent_not_found` or `forbidden`. */
  checkAgent(ownerId: string, agentId: string): Promise<void>;
  /** Throws when the owner has no such connection of IMAP. */
  checkMailbox(ownerId: string, connectionId: string): Promise<void>;
  /** Throws when the app has no such trigger, the connection is not one of it, or the input is wrong. */
  checkApp(ownerId: string, settings: TriggerSettings["app"]): Promise<void>;
  /** Called after a change of the times, so that the loop recomputes the next due time. */
  onChanged(): void;
}

export type Triggers = ReturnType<typeof createTriggers>;

/** Settings that name the source: with another one, the next check begins like the first. */
const SOURCE_FIELDS: Readonly<Record<StoredTriggerKind, readonly string[]>> = {
  rss: ["url"],
  email: ["connection", "host", "user", "mailbox"],
  chat: [],
  // The source compares them itself: a subscription must end before another one begins.
  app: [],
};
/** Settings that name who receives the password: to change one of them, a user must enter it again. */
const RECEIVER_FIELDS = ["connection", "host", "user"];

export function createTriggers(deps: TriggersDeps) {
  const {
    store,
    box,
    clock,
    limits,
    minIntervalSeconds,
    sourceOf,
    checkWorkflow,
    checkAgent,
    checkMailbox,
    checkApp,
    onChanged,
  } = deps;

  /** Tests that run in this process. */
  const tests = createConnectionCount();

  function checkInterval(kind: StoredTriggerKind, settings: object): void {
    const { intervalSeconds } = settings as { intervalSeconds?: number };
    if (
      sourceOf(kind) === undefined ||
      intervalSeconds === undefined ||
      intervalSeconds >= minIntervalSeconds
    )
      return;
    throw invalidRequest(
      `Checks of a trigger must be at least ${minIntervalSeconds} seconds apart on this instance. ` +
        "Choose a longer interval, or let the operator lower TRIGGER_MIN_INTERVAL_SECONDS.",
      [{ path: "settings.intervalSeconds", message: `must be at least ${minIntervalSeconds}` }],
    );
  }

  /**
   * The first check comes at once: it finds out whether the source can be read. Changes in a row check it no more often than
   * the shortest interval.
   */
  function firstCheck(kind: StoredTriggerKind, active: boolean, before?: TriggerRecord): number | null {
    // The loop ends the subscription of a paused trigger.
    if (!active && holdsSubscription(before?.position ?? null)) return clock.now();
    if (!active || sourceOf(kind) === undefined) return null;
    const last = before === undefined ? 0 : Math.max(before.lastCheckAt ?? 0, before.updatedAt);
    return Math.max(clock.now(), last + minIntervalSeconds * 1000);
  }

  const sealed = (trigger: Pick<TriggerRecord, "ownerId" | "id">, password: string): string =>
    box.seal(JSON.stringify({ password }), triggerContext(trigger));

  async function assertFreeSlug({ id, settings }: Pick<TriggerRecord, "id" | "settings">): Promise<void> {
    if (!("slug" in settings)) return;
    const other = await store.findBySlug(settings.slug);
    if (other !== undefined && other.id !== id)
      throw new AppError(
        "slug_taken",
        `Another chat has the address /chat/${settings.slug}. Choose another one.`,
      );
  }

  /** A chat is answered by a workflow or by an agent of its owner. */
  async function checkAnswerer(ownerId: string, workflowId: string | null, settings: object): Promise<void> {
    const { agentId = null } = settings as { agentId?: string | null };
    if ((workflowId === null) === (agentId === null))
      throw invalidRequest("A chat is answered by a workflow or by an agent.", [
        { path: "workflowId", message: "must be given, or else settings.agentId" },
      ]);
    if (workflowId !== null) await checkWorkflow(ownerId, workflowId);
    if (agentId !== null) await checkAgent(ownerId, agentId);
  }

  async function update(ownerId: string, id: string, change: UpdateTrigger): Promise<TriggerRecord> {
    const current = await store.get(id, ownerId);
    const settings = mergeSettings(current, change.settings ?? {});
    if (change.settings?.["intervalSeconds"] !== undefined) checkInterval(current.kind, settings);
    if (change.settings?.["agentId"] !== undefined)
      await checkAnswerer(ownerId, current.workflowId, settings);
    if (change.settings !== undefined && "trigger" in settings) await checkApp(ownerId, settings);
    const connectionId = mailboxConnectionOf(current.kind, settings);
    if (connectionId !== null && change.settings?.["connection"] !== undefined)
      await checkMailbox(ownerId, connectionId);
    const active = change.active ?? current.active;
    const differs = (field: string) =>
      ((settings as never)[field] ?? null) !== ((current.settings as never)[field] ?? null);
    const needsPassword = current.kind === "email" && connectionId === null;
    if (change.password === undefined && needsPassword && RECEIVER_FIELDS.some(differs))
      throw invalidRequest("The password is needed with another host or user.", [
        { path: "password", message: "must be given with another host or user" },
      ]);
    const isNewSource = SOURCE_FIELDS[current.kind].some(differs);
    const next: TriggerRecord = {
      ...current,
      name: change.name ?? current.name,
      active,
      settings,
      secrets:
        connectionId !== null
          ? null
          : change.password === undefined
            ? current.secrets
            : sealed(current, change.password),
      nextCheckAt: firstCheck(current.kind, active, current),
      updatedAt: laterThan(current.updatedAt, clock),
    };
    await assertFreeSlug(next);
    // A concurrent update won: apply this change to its result.
    if (!(await store.update(next, { expectedUpdatedAt: current.updatedAt, isNewSource })))
      return update(ownerId, id, change);
    onChanged();
    return store.get(id, ownerId);
  }

  return {
    async create(ownerId: string, given: CreateTrigger): Promise<TriggerRecord> {
      checkInterval(given.kind, given.settings);
      await checkAnswerer(ownerId, given.workflowId, given.settings);
      if (given.kind === "app") await checkApp(ownerId, given.settings);
      const connectionId = mailboxConnectionOf(given.kind, given.settings);
      if (connectionId !== null) await checkMailbox(ownerId, connectionId);
      const now = clock.now();
      const id = createId("trg", now);
      const trigger: TriggerRecord = {
        id,
        ownerId,
        workflowId: given.workflowId,
        kind: given.kind,
        name: given.name,
        settings: given.settings,
        secrets:
          given.kind === "email" && given.password !== undefined
            ? sealed({ ownerId, id }, given.password)
            : null,
        active: given.active,
        position: null,
        nextCheckAt: firstCheck(given.kind, given.active),
        lastCheckAt: null,
        lastItemAt: null,
        lastError: null,
        failures: 0,
        createdAt: now,
        updatedAt: now,
      };
      const max = limits.max("triggers", ownerId);
      await assertFreeSlug(trigger);
      if (!(await store.insert(trigger, max))) {
        await assertFreeSlug(trigger);
        const hasRoom = (await store.count(ownerId)) < max;
        throw limits.refuse(
          "triggers",
          hasRoom
            ? "Too many triggers that you deleted still end their subscriptions. Try again later."
            : `You have ${max} triggers, the most allowed. Delete one of them.`,
          { ownerId },
        );
      }
      onChanged();
      return trigger;
    },

    update,
    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, query: TriggerListQuery) => store.list(ownerId, query),
    async remove(ownerId: string, id: string): Promise<void> {
      await store.remove(id, ownerId, clock.now());
      onChanged();
    },

    async listItems(ownerId: string, id: string, page: PageQuery) {
      await store.get(id, ownerId);
      return store.listItems(id, page);
    },

    /** The newest item of the source; undefined when it has none. Starts nothing and remembers nothing. */
    async sample(ownerId: string, id: string): Promise<FoundItem | undefined> {
      const trigger = await store.get(id, ownerId);
      const checks = (await store.countChecks(ownerId, clock.now())) + tests.of(ownerId) + 1;
      if (limits.exceeds("trigger_checks", checks))
        throw limits.refuse(
          "trigger_checks",
          "Your triggers are being checked. Try again when a check has ended.",
        );
      const endTest = tests.add(ownerId);
      const deadline = createDeadline(CHECK_TIMEOUT_MS);
      try {
        return await deadline.race(
          sourceOf(trigger.kind)?.sample(trigger, deadline.signal) ?? Promise.resolve(undefined),
        );
      } catch (error) {
        throw toTestFailure(error);
      } finally {
        endTest();
        deadline.clear();
      }
    },
  };
}

/** Problems of the source are the user's to read; codes of steps have no status of their own. */
function toTestFailure(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === "egress_denied") return error;
  return new AppError("fetch_failed", error.message, { cause: error });
}

function mergeSettings(
  { kind, settings }: TriggerRecord,
  change: Record<string, unknown>,
): TriggerRecord["settings"] {
  const parsed = triggerSettings[kind].safeParse({ ...settings, ...change });
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    "The settings are invalid.",
    parsed.error.issues.map(({ path, message }) => ({ path: ["settings", ...path].join("."), message })),
  );
}

export function toStoredTrigger(record: TriggerRecord): StoredTrigger {
  const {
    ownerId: _ownerId,
    secrets: _secrets,
    position: _position,
    removedAt: _removedAt,
    lastError,
    ...shown
  } = record;
  const time = (at: number | null) => (at === null ? null : toIso(at));
  return {
    ...shown,
    nextCheckAt: time(record.nextCheckAt),
    lastCheckAt: time(record.lastCheckAt),
    lastItemAt: time(record.lastItemAt),
    lastError: lastError === null ? null : { ...lastError, at: toIso(lastError.at) },
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
    // The settings were checked by the schema of the kind.
  } as StoredTrigger;
}

/** The connection that a mailbox is read with, in place of its own password. */
function mailboxConnectionOf(kind: StoredTriggerKind, settings: object): string | null {
  return kind === "email" ? ((settings as TriggerSettings["email"]).connection ?? null) : null;
}
