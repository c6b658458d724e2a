import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { includesRole, type Role, ROLES } from "../contract/roles.ts";
import { createKey } from "./support/endpoints.ts";
import { chain } from "./support/graphs.ts";
import { ownedRecords, pathsWithoutRecord, requestBodies } from "./support/owned-records.ts";
import { type Operation, operationsOf, renderOperationRoles, renderRoles } from "./support/roles-table.ts";
import { shareApp } from "./support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const people = ["administrator", ...ROLES, "stranger"] as const;
const shared = await shareApp(people, { RATE_LIMIT_ENDPOINT_PER_MINUTE: "0" });
const { app, owner, stranger } = shared;
const home = await createTeamWorkspace(
  owner,
  ROLES.filter((role) => role !== "owner").map((role) => [shared[role], role]),
);
const foreign = await createTeamWorkspace(stranger);
const document = (await app.anonymous.get("/api/openapi.json")).body;
const operations = operationsOf(document);
const ofRoles = operations.filter(({ role }) => (ROLES as readonly string[]).includes(role));

/** Ids that no record has. */
const UNKNOWN = "x_00000000000000000000000000000";
const isOfPath = ({ path }: Operation) => path.startsWith("/api/workspaces/{id}");

function fill({ path }: Operation, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? UNKNOWN);
}

/** Without a record: what a role allows is answered with 400 or 404, and changes nothing. */
async function call(operation: Operation, who: typeof owner, workspace: string, values = {}) {
  const { method, path } = operation;
  const url = fill(operation, isOfPath(operation) ? { ...values, id: workspace } : values);
  const body =
    method === "GET" || method === "DELETE" ? undefined : (requestBodies[`${method} ${path}`] ?? {});
  const { status, body: answer } = await inWorkspace(who, workspace).call(url, { method, body });
  return { status, error: answer?.error as string | undefined, requiredRole: answer?.details?.requiredRole };
}

/** These change the workspace itself when they are allowed, so an allowed call is tested elsewhere. */
const CHANGES_MEMBERSHIP = new Set(["deleteWorkspace", "leaveWorkspace"]);

test("every route refuses each role that its table does not allow, before it looks at the request, and allows the others", async () => {
  expect(ofRoles.length).toBeGreaterThan(180);
  for (const operation of ofRoles)
    for (const role of ROLES) {
      const name = `${operation.operationId} as ${role}`;
      const isAllowed = includesRole(role, operation.role as Role);
      if (isAllowed && CHANGES_MEMBERSHIP.has(operation.operationId)) continue;
      const answer = await call(operation, shared[role], home);
      if (isAllowed)
        expect([name, answer.error === "forbidden", answer.status === 401]).toEqual([name, false, false]);
      else
        expect([name, answer.status, answer.error, answer.requiredRole]).toEqual([
          name,
          403,
          "forbidden",
          operation.role,
        ]);
    }
});

test("no member of one workspace does anything in another, whatever the route", async () => {
  for (const operation of ofRoles)
    for (const role of ROLES) {
      const name = `${operation.operationId} as ${role} of another workspace`;
      const { status, error } = await call(operation, shared[role], foreign);
      expect([name, status, error]).toEqual([name, 403, "forbidden"]);
    }
});

test("members read each other's records, and an owner of another workspace reads and changes none of them", async () => {
  const team = inWorkspace(owner, home);
  const seen: string[] = [];
  for (const { path: pattern, create, isHidden } of ownedRecords) {
    const own = ofRoles.filter((operation) => pattern.test(operation.path) && !isOfPath(operation));
    if (own.length === 0) continue;
    const values = await create(team);
    for (const operation of own) {
      const name = operation.operationId;
      const foreigner = await call(operation, stranger, foreign, values);
      expect([name, foreigner.status]).toEqual([name, isHidden === true ? 404 : 403]);
      if (operation.method !== "GET" || operation.path.endsWith("/events")) continue;
      const reader = shared[operation.role as Role];
      const { status } = await call(operation, reader, home, values);
      expect([name, status]).toEqual([name, 200]);
      seen.push(name);
    }
  }
  expect(seen.length).toBeGreaterThan(40);
});

test("routes of the person are under few paths; those of the instance are for its administrator", async () => {
  const account = operations.filter(({ role }) => role === "account").map(({ path }) => path);
  const ownPaths =
    /^\/api\/(auth|account|connected-apps|oauth\/authorization|notifications|invitations\/accept|workspaces$)/;
  expect(account.filter((path) => !ownPaths.test(path))).toEqual([]);
  for (const operation of operations.filter(({ role }) => role === "administrator"))
    for (const role of ROLES) {
      const answer = await call(operation, shared[role], home);
      expect([operation.operationId, answer.status, answer.error]).toEqual([
        operation.operationId,
        403,
        "forbidden",
      ]);
    }
});

test("sockets and streams of each role follow the workspace of the person only; viewers post nothing", async () => {
  const url = await app.listen();
  const team = inWorkspace(owner, home);
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await team.post("/api/workflows", { name: "Waits", metadata: { steps, edges: [] } }))
    .body;
  const { taskId } = (await team.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const { id: teamId } = (await team.post("/api/agent-teams", { name: "Desk" })).body.team;
  const { sessionId } = (await team.post(`/api/agent-teams/${teamId}/run`, { objective: "Look" })).body;

  const connect = (token: string, workspace: string) =>
    new Promise<ReturnType<typeof io>>((resolve, reject) => {
      const socket = io(url, { auth: { token, workspace }, reconnection: false, transports: ["websocket"] });
      onTestFinished(() => void socket.close());
      socket.once("connect", () => resolve(socket));
      socket.once("connect_error", reject);
    });
  const stream = async (token: string, workspace: string) => {
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${token}`, "x-workspace": workspace };
    const { status } = await fetch(`${url}/api/tasks/${taskId}/events`, { headers, signal: gone.signal });
    gone.abort();
    return status;
  };
  for (const role of ROLES) {
    const { token } = shared[role];
    await expect(connect(token, foreign)).rejects.toMatchObject({ data: { error: "forbidden" } });
    const socket = await connect(token, home);
    expect(await socket.emitWithAck("watch_task", { taskId })).toMatchObject({ ok: true });
    expect(await socket.emitWithAck("join_war_room", { teamId })).toMatchObject({ ok: true });
    const posted = await socket.emitWithAck("send_message", { sessionId, content: "Hello" });
    expect([role, posted.ok]).toEqual([role, includesRole(role, "operator")]);
    expect([await stream(token, home), await stream(token, foreign)]).toEqual([200, 403]);
  }
  const outside = await connect(stranger.token, foreign);
  for (const [event, request] of [
    ["watch_task", { taskId }],
    ["join_war_room", { teamId }],
    ["send_message", { sessionId, content: "Hello" }],
  ] as const)
    expect(await outside.emitWithAck(event, request)).toMatchObject({ ok: false, error: "forbidden" });
});

test("MCP, A2A and chat clients reach what their workspace exposes, and nothing of another one", async () => {
  const scopes = ["mcp", "a2a", "chat"];
  const team = inWorkspace(owner, home);
  const { workflow } = (await team.post("/api/workflows", { name: "Team tool", metadata: chain("a") })).body;
  const exposed = await team.put(`/api/exposures/workflow/${workflow.id}`, { mcp: true, a2a: true });
  expect(exposed.status).toBe(200);
  const { id: agentId } = (await team.post("/api/agents", { name: "Team agent" })).body.agent;
  await team.put(`/api/exposures/agent/${agentId}`, { chat: true });
  const inside = (await createKey(team, { scopes })).rawKey;
  const outside = (await createKey(inWorkspace(stranger, foreign), { scopes })).rawKey;
  const reach = async (key: string) => {
    const headers = { authorization: `Bearer ${key}`, accept: "application/json, text/event-stream" };
    const rpc = (url: string, method: string, params: object) =>
      app.anonymous.post(url, { jsonrpc: "2.0", id: 1, method, params }, headers);
    const tools = await rpc("/mcp", "tools/list", {});
    const models = await app.anonymous.get("/v1/models", headers);
    const parts = [{ kind: "text", text: "Hi" }];
    const a2a = await rpc(`/a2a/${workflow.id}`, "message/send", {
      message: { role: "user", messageId: crypto.randomUUID(), kind: "message", parts },
    });
    return {
      mcp: tools.text.includes("team-tool"),
      chat: models.text.includes("team-agent"),
      a2a: a2a.body?.result !== undefined,
    };
  };
  expect(await reach(inside)).toEqual({ mcp: true, chat: true, a2a: true });
  expect(await reach(outside)).toEqual({ mcp: false, chat: false, a2a: false });
});

test("docs/reference/roles.md and contract/operation-roles.ts, which the page reads, have the roles of the routes", async () => {
  const module = renderOperationRoles(operations, ROLES);
  await expect(module).toMatchFileSnapshot("../contract/operation-roles.ts");
  await expect(renderRoles(operations)).toMatchFileSnapshot("../docs/reference/roles.md");
});

test("every route that names a record is tested with one", () => {
  const named = ofRoles.filter(
    ({ path }) => path.includes("{") && !pathsWithoutRecord.some((at) => at.test(path)),
  );
  expect(named.filter(({ path }) => !ownedRecords.some((record) => record.path.test(path)))).toEqual([]);
});
