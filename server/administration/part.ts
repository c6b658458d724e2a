import { randomUUID } from "node:crypto";
import type { AccountInvitations } from "../accounts/invitations/account-invitations.ts";
import type { CredentialWatch } from "../accounts/credential-watch.ts";
import type { Logins } from "../accounts/logins.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { Memberships } from "../workspaces/memberships.ts";
import { administrationRoutes } from "./administration.routes.ts";
import { createAdminTaskStore } from "./admin-task.sql.ts";
import { createAdminTasks, type StopTask } from "./admin-tasks.ts";
import { instanceRoutes } from "./instance.routes.ts";
import { openUsers } from "./open-users.sql.ts";
import { createStorageUsageStore } from "./storage-usage.sql.ts";
import { createStorageUsage } from "./storage-usage.ts";
import { userRoutes } from "./user.routes.ts";
import { createUserStore } from "./user.sql.ts";
import { createWorkspaceRules, RULES_CHANNEL } from "./workspace-rules.ts";
import { createWorkspaceRuleStore } from "./workspace-rules.sql.ts";

export interface AppliedRules {
  /** Days that workspaces keep their tasks and sessions, of those with their own retention. */
  workspaceRetention(): Promise<ReadonlyMap<string, number>>;
  /** Applies stored changes, in every process. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

/** Applies the limits of workspaces and the set of disabled accounts: before any work begins, and after each change. */
export async function applyRules(
  { db, limits, report }: Platform,
  credentials: Pick<CredentialWatch, "onPeerMessage">,
): Promise<AppliedRules> {
  const store = createWorkspaceRuleStore(db);
  const { listDisabled } = createUserStore(db);
  async function readRules(): Promise<void> {
    limits.setWorkspaceLimits(await store.listLimits());
    limits.setSuspended(await listDisabled());
    // Streams that a secret of a team opened end with its account.
    credentials.onPeerMessage("");
  }
  const stopListening = await db.listen(RULES_CHANNEL, () => {
    readRules().catch((error: unknown) => report(error, "reading the limits of workspaces"));
  });
  await readRules();
  return {
    workspaceRetention: store.listRetention,
    async changed() {
      await readRules();
      // Every message is unique: the database drops a repeated one.
      db.notify(RULES_CHANNEL, randomUUID());
    },
    close: async () => stopListening(),
  };
}

export interface AdministrationPartDeps {
  accounts: { logins: Pick<Logins, "ended">; invitations: AccountInvitations };
  memberships: Pick<Memberships, "changed">;
  rules: AppliedRules;
  stopTask: StopTask;
}

/** What the administrator of the instance decides about its accounts and workspaces. */
export function createAdministrationPart(
  { config, db, clock, report }: Platform,
  { accounts, memberships, rules, stopTask }: AdministrationPartDeps,
): Part {
  const usage = createStorageUsageStore(db);
  const storage = createStorageUsage({
    store: usage,
    clock,
    dataDir: config.dataDir,
    onError: (error) => report(error, "measuring the storage of workspaces"),
  });
  return {
    routes(http) {
      instanceRoutes(http, {
        tasks: createAdminTasks(createAdminTaskStore(db), stopTask),
        storage,
        workspaces: usage,
      });
      const store = createWorkspaceRuleStore(db);
      administrationRoutes(http, { rules: createWorkspaceRules(store, rules.changed) });
      userRoutes(http, {
        users: openUsers(db, clock, {
          loginsEnded: accounts.logins.ended,
          membersChanged: memberships.changed,
          disabledChanged: rules.changed,
        }),
        invitations: accounts.invitations,
      });
    },
    stop: storage.close,
    close: rules.close,
  };
}
