import { randomUUID } from "node:crypto";
import type { Workspace } from "../../contract/workspaces.ts";
import { createServiceAccountStore } from "../endpoints/service-account.sql.ts";
import { createMailer } from "../mail/mailer.ts";
import type { Part, Platform } from "../platform/part.ts";
import { invitationRoutes } from "./invitation.routes.ts";
import { createInvitationStore } from "./invitation.sql.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { memberRoutes } from "./member.routes.ts";
import { createMemberStore } from "./member.sql.ts";
import { createMembers } from "./members.ts";
import { createMemberships, type Memberships } from "./memberships.ts";
import { toWorkspace } from "./workspace-view.ts";
import { workspaceRoutes } from "./workspace.routes.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./workspace.sql.ts";
import { createWorkspaces } from "./workspaces.ts";

/** Tells the processes that erase data that a deletion was stored. */
export const DELETION_CHANNEL = "account_deletion";

export interface WorkspacesPart extends Part {
  memberships: Memberships;
  invitations: Invitations;
  listMembers: WorkspaceStore["listMembers"];
  /** The workspaces of a person, the personal one first. */
  listOf(userId: string): Promise<Workspace[]>;
}

export async function createWorkspacesPart({
  config,
  db,
  clock,
  limiter,
  report,
  tracing,
}: Platform): Promise<WorkspacesPart> {
  const store = createWorkspaceStore(db);
  const memberStore = createMemberStore(db);
  const memberships = createMemberships({
    findRole: store.findRole,
    exists: store.exists,
    clock,
    publish: (message) => db.notify("membership", message),
  });
  const workspaces = createWorkspaces({
    store,
    memberships,
    clock,
    // Every message is unique: the database drops a repeated one.
    onDeletion: () => db.notify(DELETION_CHANNEL, randomUUID()),
  });
  const members = createMembers({
    store: memberStore,
    serviceAccounts: createServiceAccountStore(db),
    memberships,
    clock,
  });
  const invitations = createInvitations({
    store: createInvitationStore(db),
    memberships,
    emailOf: async (userId) => (await memberStore.get(userId, userId)).email,
    mailer: createMailer(config.smtp, tracing),
    urlOf: (token) => `${config.serviceUrl}/invitations/${token}`,
    onMailError: (error) => report(error, "mailing an invitation"),
    clock,
  });
  const stopListening = await db.listen("membership", memberships.onPeerMessage);
  return {
    memberships,
    invitations,
    listMembers: store.listMembers,
    listOf: async (userId) => (await store.listOf(userId)).map(toWorkspace),
    routes(http) {
      workspaceRoutes(http, workspaces);
      memberRoutes(http, members);
      invitationRoutes(http, {
        invitations,
        workspaces,
        mailLimiter: limiter("invitation mail", config.limits.loginPerMinute),
        limiter: limiter("invitation", config.limits.loginPerMinute),
      });
    },
    close: () => stopListening(),
  };
}
