import type { Role } from "../../contract/roles.ts";
import { type Client, clientFrom } from "./client.ts";
import type { RegisteredUser, TestApp } from "./test-app.ts";

/** The same person, with every request in this workspace. */
export function inWorkspace<T extends Client>(user: T, workspaceId: string): T {
  const { call } = user;
  return {
    ...user,
    ...clientFrom((url, options = {}) =>
      call(url, { ...options, headers: { "x-workspace": workspaceId, ...options.headers } }),
    ),
  };
}

/** A team workspace of `owner` with these members, who accepted an invitation; returns its id. */
export async function createTeamWorkspace(
  owner: RegisteredUser,
  members: readonly [RegisteredUser, Role][] = [],
): Promise<string> {
  const { id } = (await owner.post("/api/workspaces", { name: "Team" })).body.workspace;
  for (const [member, role] of members) {
    const { token } = (await owner.post(`/api/workspaces/${id}/invitations`, { role })).body;
    await member.post("/api/invitations/accept", { token });
  }
  return id;
}

let added = 0;

/** A team workspace with these members, written to the database directly; returns its id. */
export async function addTeamWorkspace(
  app: Pick<TestApp, "sql">,
  members: readonly [RegisteredUser, Role][],
): Promise<string> {
  const id = `ws_test${++added}`;
  await app.sql(`insert into workspace (id, name, kind, created_at) values ('${id}', 'Team', 'team', 0)`);
  for (const [{ user }, role] of members)
    await app.sql(
      `insert into member (workspace_id, user_id, role, created_at) values ('${id}', '${user.id}', '${role}', 0)`,
    );
  return id;
}
