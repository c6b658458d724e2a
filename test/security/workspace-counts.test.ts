import { expect, test } from "vitest";
import { MAX_SERVICE_ACCOUNTS } from "../../contract/service-accounts.ts";
import { shareApp } from "../support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";

const { app, ann } = await shareApp(["ann"]);
const MAX_KEYS = 1000;
const MAX_INVITATIONS = 1000;

/** Rows in place of requests: `row` has the values of the n-th one. */
async function fill(
  table: string,
  columns: string,
  count: number,
  row: (n: number) => string,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => `(${row(n)})`);
  await app.sql(`insert into ${table} (${columns}) values ${rows.join(", ")}`);
}

test("a workspace has a bounded number of keys, service accounts and open invitations", async () => {
  const id = await createTeamWorkspace(ann);
  const team = inWorkspace(ann, id);
  await fill(
    "api_key",
    "id, owner_id, name, prefix, scopes, hash, created_by, created_at",
    MAX_KEYS - 1,
    (n) => `'key_${id}${n}', '${id}', 'k', 'p', '[]', 'hash ${id} ${n}', '${ann.user.id}', 0`,
  );
  await fill(
    "service_account",
    "id, owner_id, name, role, created_by, created_at",
    MAX_SERVICE_ACCOUNTS - 1,
    (n) => `'sa_${id}${n}', '${id}', 'k', 'viewer', '${ann.user.id}', 0`,
  );
  await fill(
    "invitation",
    "id, workspace_id, role, invited_by, token_hash, created_at, expires_at",
    MAX_INVITATIONS - 1,
    (n) => `'inv_${id}${n}', '${id}', 'viewer', '${ann.user.id}', 'hash ${id} ${n}', 0, 9999999999999`,
  );
  for (const [url, body] of [
    ["/api/keys", {}],
    ["/api/service-accounts", { name: "CI", role: "viewer" }],
    [`/api/workspaces/${id}/invitations`, { role: "viewer" }],
  ] as const) {
    const last = await team.post(url, body);
    expect([url, last.status]).toEqual([url, 201]);
    expect([url, (await team.post(url, body)).body.error]).toEqual([url, "limit_reached"]);
  }
  const [newest] = (await team.get("/api/keys?limit=1")).body.keys;
  await team.delete(`/api/keys/${newest.id}`);
  expect((await team.post("/api/keys")).status).toBe(201);
});
