import type { PageQuery } from "../../contract/api.ts";
import type { Role } from "../../contract/roles.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Mailer } from "../mail/mailer.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";
import type { InvitationRecord, InvitationStore, OpenInvitation } from "./invitation.sql.ts";
import { assertMayManage } from "./members.ts";
import type { Memberships } from "./memberships.ts";
import { personalWorkspace } from "./workspaces.ts";

export interface InvitationsDeps {
  store: InvitationStore;
  memberships: Pick<Memberships, "changed" | "roleOf">;
  emailOf(userId: string): Promise<string | undefined>;
  mailer: Mailer;
  /** The page that accepts the invitation. */
  urlOf(token: string): string;
  /** A mail that the server did not accept: the link still works. */
  onMailError(error: unknown): void;
  clock: Clock;
}

interface Inviter {
  workspaceId: string;
  userId: string;
  role: Role;
}

/** Per workspace. */
const MAX_OPEN = 1000;
const LIFETIME_MS = 7 * 24 * 3600 * 1000;

export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations(deps: InvitationsDeps) {
  const { store, memberships, emailOf, mailer, urlOf, onMailError, clock } = deps;

  async function open(token: string): Promise<OpenInvitation> {
    const invitation = await store.findOpen(hashKey(token), clock.now());
    if (invitation === undefined) throw notFound("invitation");
    return invitation;
  }

  async function mail(email: string, token: string): Promise<boolean> {
    if (!mailer.isConfigured) return false;
    try {
      const { workspaceName, inviterName } = await open(token);
      await mailer.send({ to: email, ...invitationMail(workspaceName, inviterName, urlOf(token)) });
      return true;
    } catch (error) {
      onMailError(error);
      return false;
    }
  }

  /** Returns the role in the workspace. A member keeps their role and the invitation. */
  async function join(
    userId: string,
    { id, workspaceId, role }: Pick<InvitationRecord, "id" | "workspaceId" | "role">,
  ): Promise<Role> {
    const present = await memberships.roleOf(workspaceId, userId);
    if (present !== undefined) return present;
    if (!(await store.accept(id, userId, clock.now()))) throw notFound("invitation");
    memberships.changed(workspaceId);
    return role;
  }

  return {
    open,

    /** The caller has proved that the address is theirs. */
    listFor: (email: string): Promise<InvitationRecord[]> => store.listFor(email, clock.now()),

    join,

    async create(
      { workspaceId, userId, role: actorRole }: Inviter,
      { role, email = null }: { role: Role; email?: string | null | undefined },
    ): Promise<{ invitation: InvitationRecord; token: string; url: string; mailed: boolean }> {
      if (workspaceId === userId)
        throw personalWorkspace(
          "A personal workspace has one member. Create a team workspace to invite others.",
        );
      assertMayManage(actorRole, role);
      const createdAt = clock.now();
      const token = createSecret();
      const invitation: InvitationRecord = {
        id: createId("inv", createdAt),
        workspaceId,
        role,
        email,
        invitedBy: userId,
        createdAt,
        expiresAt: createdAt + LIFETIME_MS,
      };
      if (!(await store.insert(invitation, hashKey(token), MAX_OPEN)))
        throw new AppError(
          "limit_reached",
          `A workspace has at most ${MAX_OPEN} open invitations. Withdraw some, or wait until they are accepted.`,
        );
      return { invitation, token, url: urlOf(token), mailed: email !== null && (await mail(email, token)) };
    },

    list: (workspaceId: string, page: PageQuery): Promise<ResultPage<InvitationRecord>> =>
      store.list(workspaceId, clock.now(), page),

    remove: store.remove,

    /** Returns the workspace and the role there. A member who accepts again keeps their role and the invitation. */
    async accept(userId: string, token: string): Promise<{ workspaceId: string; role: Role }> {
      const invitation = await open(token);
      const { workspaceId, email } = invitation;
      if (email !== null && email !== (await emailOf(userId)))
        throw new AppError(
          "forbidden",
          "This invitation is for another email address. Log in with the account of that address.",
        );
      return { workspaceId, role: await join(userId, invitation) };
    },
  };
}

/** The names are of users: on one line each, so that they cannot pass for text of this service. */
function invitationMail(workspaceName: string, inviterName: string, url: string) {
  const oneLine = (name: string) => JSON.stringify(name.replaceAll(/\s+/g, " "));
  return {
    subject: "Invitation to a Baton workspace",
    text: `You are invited to a Baton workspace. The link works once, for seven days:

${url}

Workspace: ${oneLine(workspaceName)}
Invited by: ${oneLine(inviterName)}

If you do not know why you got this mail, ignore it.
`,
  };
}
