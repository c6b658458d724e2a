import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { chain } from "./support/graphs.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const shared = await shareApp(["owner", "viewer", "operator", "stranger"]);

async function makeTeam() {
  const { owner, viewer, operator, stranger } = shared;
  const id = await createTeamWorkspace(owner, [
    [viewer, "viewer"],
    [operator, "operator"],
  ]);
  const of = (user: typeof owner) => inWorkspace(user, id);
  return { id, owner: of(owner), viewer: of(viewer), operator: of(operator), stranger: of(stranger) };
}

test("records belong to the workspace of the header; without one to the personal workspace", async () => {
  const team = await makeTeam();
  const { workflow } = (await team.owner.post("/api/workflows", { name: "Shared", metadata: chain("a") }))
    .body;
  expect(workflow.ownerId).toBe(team.id);
  expect((await team.viewer.get(`/api/workflows/${workflow.id}`)).body.workflow.name).toBe("Shared");
  expect((await shared.owner.get("/api/workflows")).body.workflows).toEqual([]);
  expect((await shared.owner.get(`/api/workflows/${workflow.id}`)).status).toBe(403);
  const personal = inWorkspace(shared.owner, shared.owner.user.id);
  expect((await personal.get("/api/workflows")).body.workflows).toEqual([]);
});

test("a workspace of others and one that does not exist are both 403 forbidden", async () => {
  const team = await makeTeam();
  const { status, body } = await team.stranger.get("/api/workflows");
  expect([status, body.error, body.message]).toEqual([
    403,
    "forbidden",
    "You are not a member of this workspace.",
  ]);
  const unknown = await inWorkspace(shared.owner, "ws_unknown").get("/api/workflows");
  expect(unknown.body).toEqual(body);
  expect((await inWorkspace(shared.owner, shared.viewer.user.id).get("/api/workflows")).status).toBe(403);
});

test("a role allows what it includes; the refusal comes before the body is checked", async () => {
  const team = await makeTeam();
  const { workflow } = (await team.owner.post("/api/workflows", { name: "Run me", metadata: chain("a") }))
    .body;
  expect((await team.viewer.post("/api/workflows", { nonsense: true })).body).toMatchObject({
    error: "forbidden",
    details: { role: "viewer", requiredRole: "builder" },
  });
  expect((await team.viewer.post(`/api/workflows/${workflow.id}/run`, {})).status).toBe(403);
  expect((await team.operator.post(`/api/workflows/${workflow.id}/run`, {})).status).toBe(200);
  expect((await team.operator.delete(`/api/workflows/${workflow.id}`)).status).toBe(403);
  expect((await team.owner.delete(`/api/workflows/${workflow.id}`)).status).toBe(200);
});

test("the account lists its workspaces with the role in each", async () => {
  const team = await makeTeam();
  const { user, workspaces } = (await team.viewer.get("/api/auth/me")).body;
  expect(workspaces[0]).toMatchObject({ id: user.id, name: "Personal", kind: "personal", role: "owner" });
  expect(workspaces).toContainEqual(
    expect.objectContaining({ id: team.id, name: "Team", kind: "team", role: "viewer" }),
  );
});

test("every route that is not public declares its access in the OpenAPI document", async () => {
  const { paths } = (await shared.app.anonymous.get("/api/openapi.json")).body;
  const operations = Object.values(paths as Record<string, Record<string, any>>).flatMap(Object.values);
  const loginOnly = JSON.stringify([{ login: [] }]);
  const withLogin = operations.filter(
    ({ security }) => security === undefined || JSON.stringify(security) === loginOnly,
  );
  expect(withLogin.length).toBeGreaterThan(150);
  for (const operation of withLogin) {
    expect(operation).toMatchObject({ "x-required-role": expect.any(String) });
    if (!["account", "administrator"].includes(operation["x-required-role"]))
      expect(operation).toHaveProperty("x-required-scope");
  }
});
