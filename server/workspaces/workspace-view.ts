import type { Invitation, Member, Workspace } from "../../contract/workspaces.ts";
import { toIso } from "../lib/clock.ts";
import type { InvitationRecord } from "./invitation.sql.ts";
import type { MemberRecord } from "./member.sql.ts";
import type { WorkspaceRecord } from "./workspace.sql.ts";

export function toWorkspace({ createdAt, ...workspace }: WorkspaceRecord): Workspace {
  return { ...workspace, createdAt: toIso(createdAt) };
}

export function toMember({ createdAt, ...member }: MemberRecord): Member {
  return { ...member, createdAt: toIso(createdAt) };
}

export function toInvitation({
  id,
  role,
  email,
  invitedBy,
  createdAt,
  expiresAt,
}: InvitationRecord): Invitation {
  return { id, role, email, invitedBy, createdAt: toIso(createdAt), expiresAt: toIso(expiresAt) };
}
