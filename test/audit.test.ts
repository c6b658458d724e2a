import { expect, test } from "vitest";
import type { AuditEvent } from "../contract/audit.ts";
import { bearer, createKey } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const list = async (user: Pick<RegisteredUser, "get">, query = ""): Promise<AuditEvent[]> =>
  (await user.get(`/api/audit-events${query}`)).body.events;
const listInstance = async (user: RegisteredUser, query = ""): Promise<AuditEvent[]> =>
  (await user.get(`/api/admin/audit-events${query}`)).body.events;
const shown = ({ action, outcome, error, actor, target }: AuditEvent) => ({
  action,
  outcome,
  error,
  actor: actor.name,
  target: target.name,
});

test("a change is recorded with its actor, target, address and the fields that differ; one event for each action", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { id } = (await ada.post("/api/workflows", { name: "Report", metadata: chain("a") })).body.workflow;
  await ada.patch(
    `/api/workflows/${id}`,
    { name: "Daily report" },
    { "user-agent": "Firefox", "x-request-id": "r1" },
  );
  await ada.delete(`/api/workflows/${id}`);
  const [removed, renamed, created] = await list(ada);
  expect(created).toMatchObject({
    action: "createWorkflow",
    outcome: "succeeded",
    status: 201,
    target: { kind: "workflow", id, name: "Report" },
    before: null,
    after: { name: "Report", version: 1, active: true, graph: { steps: [{ stepId: "a" }] } },
  });
  expect(renamed).toMatchObject({
    action: "updateWorkflow",
    actor: { kind: "user", id: ada.user.id, name: "ada", keyId: null },
    target: { kind: "workflow", id, name: "Daily report" },
    address: "127.0.0.1",
    userAgent: "Firefox",
    requestId: "r1",
  });
  expect(renamed?.before).toEqual({ name: "Report", version: 1 });
  expect(renamed?.after).toEqual({ name: "Daily report", version: 2 });
  expect(removed).toMatchObject({ action: "deleteWorkflow", before: { name: "Daily report" }, after: null });
  // Attempts are events of the chain, and hidden while their result is there.
  expect([created, renamed, removed].map((event) => event?.sequence)).toEqual([2, 4, 6]);
  expect((await ada.get("/api/audit-events/verification")).body.verification).toMatchObject({
    valid: true,
    events: 6,
    problem: null,
  });
});

test("an attempt without a result is listed: the process ended during the change", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/region", { value: "eu" });
  const { id } = (await ada.post("/api/workspaces", { name: "Other" })).body.workspace;
  const team = inWorkspace(ada, id);
  await team.put("/api/variables/region", { value: "eu" });
  await removeResults(app, id);
  const [only, ...others] = await list(team);
  expect(only).toMatchObject({
    stage: "attempt",
    action: "putVariable",
    outcome: null,
    target: { id: "region" },
  });
  expect(others).toEqual([]);
});

/** As a crash between the change and its result would leave the chain. */
async function removeResults(app: TestApp, owner: string): Promise<void> {
  await app.sql(`update audit_chain set anchor_sequence = 2 where owner_id = '${owner}'`);
  await app.sql(`delete from audit_event where owner_id = '${owner}' and stage = 'result'`);
}

test("failed actions are recorded with their error and change nothing; what a role or a schema refuses is not", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const bob = await registerUser(app, "bob");
  const { id } = (await bob.post("/api/agents", { name: "Private" })).body.agent;
  await ada.patch(`/api/agents/${id}`, { name: "Taken" });
  await ada.post("/api/agents", { name: 1 });
  const [failed, ...others] = await list(ada);
  expect(failed).toMatchObject({ action: "updateAgent", outcome: "failed", status: 403, error: "forbidden" });
  expect([failed?.before, failed?.after, failed?.target.name]).toEqual([null, null, "Taken"]);
  expect(others).toEqual([]);
});

test("a run that fails while the caller waits is recorded with the code of the response", async () => {
  const ada = await registerUser(await useTestApp(), "ada");
  const steps = [{ stepId: "read", type: "file", action: "read", path: "missing.txt" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "Report", steps })).body;
  const { body } = await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  expect(body.error).toBe("execution_failed");
  const [failed] = await list(ada);
  expect(failed).toMatchObject({
    action: "runWorkflow",
    outcome: "failed",
    status: 500,
    error: "execution_failed",
  });
});

test("logins, failed logins, the second factor and password changes are in the log of the instance", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { email, password } = ada;
  await app.anonymous.post("/api/auth/login", { email, password: "not the password" });
  const { token } = (await app.anonymous.post("/api/auth/login", { email, password })).body;
  await ada.post("/api/auth/second-factor/setup");
  await ada.post("/api/auth/password", { currentPassword: password, newPassword: "another long one" });
  await app.anonymous.post("/api/auth/logout", {}, bearer(token));
  const { body } = await app.anonymous.post("/api/auth/login", { email, password: "another long one" });
  await app.anonymous.post("/api/auth/logout", {}, bearer(body.token));
  const admin = await app.anonymous.post("/api/auth/login", { email, password: "another long one" });
  const events = await listInstance({
    ...ada,
    get: (url) => app.anonymous.get(url, bearer(admin.body.token)),
  });
  const done = { outcome: "succeeded", error: null, actor: "ada", target: "ada" };
  expect(events.map(shown)).toEqual([
    { ...done, action: "login" },
    { ...done, action: "logout" },
    { ...done, action: "login" },
    { ...done, action: "changePassword" },
    { ...done, action: "setUpSecondFactor" },
    { ...done, action: "login" },
    { action: "login", outcome: "failed", error: "invalid_credentials", actor: null, target: email },
    { ...done, action: "register" },
  ]);
  expect(events.at(-2)?.actor.kind).toBe("anonymous");
});

test("members, roles and deleted workspaces: the workspace and the instance each keep what concerns them", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const bob = await registerUser(app, "bob");
  const id = await createTeamWorkspace(ada, [[bob, "viewer"]]);
  const team = inWorkspace(ada, id);
  await ada.patch(`/api/workspaces/${id}/members/${bob.user.id}`, { role: "builder" });
  await ada.patch(`/api/admin/workspaces/${id}/rules`, { retentionDays: 5 });
  expect((await list(team)).map(shown)).toEqual([
    { action: "changeWorkspaceRules", outcome: "succeeded", error: null, actor: "ada", target: "Team" },
    { action: "updateMember", outcome: "succeeded", error: null, actor: "ada", target: bob.email },
    { action: "acceptInvitation", outcome: "succeeded", error: null, actor: "bob", target: null },
    { action: "createInvitation", outcome: "succeeded", error: null, actor: "ada", target: null },
  ]);
  const [change] = await list(team, `?target=${bob.user.id}`);
  expect(await list(team, `?target=${encodeURIComponent(bob.email)}`)).toEqual([change]);
  expect([change?.before, change?.after]).toEqual([{ role: "viewer" }, { role: "builder" }]);
  await ada.delete(`/api/workspaces/${id}`);
  const [deletion] = await listInstance(ada, "?action=deleteWorkspace");
  expect(deletion).toMatchObject({
    outcome: "succeeded",
    target: { id, name: "Team" },
    before: { name: "Team" },
  });
  await expect
    .poll(async () => app.sql(`select 1 as one from audit_event where owner_id = '${id}'`), {
      timeout: 30_000,
    })
    .toEqual([]);
});

test("an API key is the actor of its changes, with the person or service account behind it", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { serviceAccount } = (await ada.post("/api/service-accounts", { name: "CI", role: "builder" })).body;
  const own = await createKey(ada, { scopes: ["workflows:write"] });
  const program = await createKey(ada, { scopes: ["workflows:write"], serviceAccountId: serviceAccount.id });
  for (const { rawKey } of [own, program])
    await app.anonymous.put("/api/variables/region", { value: rawKey.length }, bearer(rawKey));
  const [second, first] = await list(ada, "?action=putVariable");
  expect(second?.actor).toMatchObject({ kind: "service_account", name: "CI", keyId: program.id });
  expect(first?.actor).toMatchObject({ id: expect.any(String), keyId: own.id });
  expect(await list(ada, `?actor=${program.id}`)).toHaveLength(1);
});

test("reads of files and exports are recorded, once each, and other reads are not", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const { id } = (await ada.post("/api/workflows", { name: "Report", metadata: chain("a") })).body.workflow;
  await ada.get(`/api/workflows/${id}`);
  await ada.get(`/api/workflows/${id}/export`);
  await ada.get("/api/audit-events/export");
  const events = await list(ada);
  expect(events.map(({ action, stage }) => [action, stage])).toEqual([
    ["exportAuditEvents", "result"],
    ["exportWorkflow", "result"],
    ["createWorkflow", "result"],
  ]);
  expect(events[1]).toMatchObject({
    target: { kind: "workflow", id, name: "Report" },
    before: null,
    after: null,
  });
  expect((await ada.get("/api/audit-events/verification")).body.verification.events).toBe(4);
});

test("events are filtered by actor, action, target and time, and listed in pages", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  for (const name of ["a", "b", "c", "d"]) await ada.put(`/api/variables/${name}`, { value: name });
  await ada.delete("/api/variables/a");
  expect(await list(ada, "?action=deleteVariable")).toHaveLength(1);
  expect(await list(ada, "?target=a")).toHaveLength(2);
  expect(await list(ada, `?actor=${ada.user.id}&target=b`)).toHaveLength(1);
  expect(await list(ada, "?actor=ADA&target=b")).toHaveLength(1);
  expect(await list(ada, "?actor=nobody")).toEqual([]);
  const [newest, , middle] = await list(ada);
  expect((await list(ada, `?from=${middle?.at}`)).map(({ at }) => at >= middle!.at)).not.toContain(false);
  expect(await list(ada, `?from=2999-01-01T00:00:00Z`)).toEqual([]);
  expect((await list(ada, `?to=${newest?.at}`)).some(({ at }) => at >= newest!.at)).toBe(false);
  const first = (await ada.get("/api/audit-events?limit=3")).body;
  const second = (await ada.get(`/api/audit-events?limit=3&cursor=${first.nextCursor}`)).body;
  expect([first.events.length, second.events.length, second.nextCursor]).toEqual([3, 2, null]);
  expect([...first.events, ...second.events]).toEqual(await list(ada));
  expect((await ada.get("/api/audit-events?cursor=x")).body.error).toBe("invalid_request");
});

test("an export has all events; a spreadsheet reads a formula in a name as text", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  await ada.post("/api/agents", { name: '=HYPERLINK("http://evil.example","x")' });
  await ada.post("/api/agents", { name: 'a "quoted", name\nin two lines' });
  const { text, headers } = await ada.get("/api/audit-events/export");
  expect(headers["content-type"]).toBe("application/x-ndjson");
  const events = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditEvent);
  expect(events.map(({ sequence, stage }) => [sequence, stage])).toEqual([
    [1, "attempt"],
    [2, "result"],
    [3, "attempt"],
    [4, "result"],
    // The export itself: it is recorded before the first byte is sent.
    [5, "result"],
  ]);
  expect(events.every((event, index) => index === 0 || event.previousHash === events[index - 1]?.hash)).toBe(
    true,
  );
  const csv = (await ada.get("/api/audit-events/export?format=csv")).text;
  expect(csv.startsWith("sequence,at,stage,")).toBe(true);
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(csv).toContain(`"a ""quoted"", name\nin two lines"`);
  expect(/(^|,)"?[=+@-]/m.test(csv.replaceAll(/"(?:[^"]|"")*"/g, (cell) => cell.slice(0, 2)))).toBe(false);
});

test("builders read no audit log, and the log of the instance is for its administrator", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const bob = await registerUser(app, "bob");
  const id = await createTeamWorkspace(ada, [[bob, "builder"]]);
  for (const path of ["", "/export", "/verification"]) {
    expect((await inWorkspace(bob, id).get(`/api/audit-events${path}`)).status).toBe(403);
    expect((await bob.get(`/api/admin/audit-events${path}`)).status).toBe(403);
    expect((await ada.get(`/api/admin/audit-events${path}`)).status).toBe(200);
  }
});

test("a large record is recorded by its fields; the largest ones by their length and hash", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const steps = [{ stepId: "a", type: "transform", template: "x".repeat(100_000) }];
  await ada.post("/api/workflows", { name: "Large", metadata: { steps, edges: [] } });
  const [created] = await list(ada);
  expect(created?.after).toMatchObject({
    name: "Large",
    graph: { omitted: true, characters: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});
