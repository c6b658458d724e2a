import { expect, test } from "vitest";
import type { Role } from "../contract/roles.ts";
import { ended, makeAgents, makeTeam, run, until, useTeamApp } from "./teams/team-app.ts";
import { shareApp } from "./support/shared-app.ts";
import { addTeamWorkspace, createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, ada, ben } = await shareApp(["ada", "ben"]);
type User = typeof ada;

const NOTHING = {
  connections: [],
  variables: [],
  workflows: [],
  agents: [],
  documents: [],
  collections: [],
  mcpServers: [],
  apps: [],
  webhooks: [],
  schedules: [],
  triggers: [],
  endpoint: false,
};
const transfer = (as: User, path: string, verb: string, workspaceId: string, dryRun = false) =>
  as.post(`${path}/${verb}${dryRun ? "?dryRun=true" : ""}`, { workspaceId });
const rowOf = async (table: string, id: string) =>
  (await app.sql(`select * from ${table} where id = '${id}'`))[0];

const KINDS = [
  {
    kind: "agent",
    path: "/api/agents",
    create: async (as: User) =>
      (
        await as.post("/api/agents", {
          name: "Analyst",
          description: "Reads",
          role: "researcher",
          capabilities: ["reading"],
          systemPrompt: "Be short.",
          temperature: 0.2,
          limits: { modelCalls: 3 },
        })
      ).body.agent.id as string,
    fresh: ["created_at", "updated_at"],
  },
  {
    kind: "team",
    path: "/api/agent-teams",
    create: async (as: User) =>
      (
        await as.post("/api/agent-teams", {
          name: "Desk",
          agents: [],
          topology: "linear",
          limits: { turns: 3 },
          memberInstructions: { someone: "Wait." },
        })
      ).body.team.id as string,
    fresh: ["created_at", "updated_at", "secret_hash"],
  },
  {
    kind: "template",
    path: "/api/templates",
    create: async (as: User) =>
      (
        await as.post("/api/templates", {
          name: "Sync",
          category: "Sales",
          folder: "A",
          tags: ["x"],
          apiSettings: { endpointName: "sync", sync: false },
          settings: { timeoutMs: 60_000 },
          form: { title: "Order" },
          metadata: { steps: [], edges: [] },
        })
      ).body.template.id as string,
    fresh: ["created_at"],
  },
] as const;

test("a copy has every column of the record under a new id, a move keeps the id; a dry run changes nothing", async () => {
  for (const { kind, path, create, fresh } of KINDS) {
    const target = await createTeamWorkspace(ada);
    const there = inWorkspace(ada, target);
    const id = await create(ada);
    const url = `${path}/${id}`;

    const dry = (await transfer(ada, url, "copy", target, true)).body;
    expect(dry).toEqual({ ok: true, id: null, needed: NOTHING, conflicts: [] });
    const copied = (await transfer(ada, url, "copy", target)).body;
    expect(copied).toMatchObject({ ok: true, id: expect.stringMatching(/^\w+_/), conflicts: [] });
    const copy = await rowOf(kind, copied.id);
    const source = await rowOf(kind, id);
    for (const column of Object.keys(source ?? {})) {
      if (column === "id" || column === "owner_id" || (fresh as readonly string[]).includes(column)) continue;
      expect([column, copy?.[column]]).toEqual([column, source?.[column]]);
    }
    expect(copy).toMatchObject({ owner_id: target });

    const report = { needed: NOTHING, conflicts: [], usedBy: [], isMoving: false };
    expect((await transfer(ada, url, "move", target, true)).body).toEqual({ ok: true, id: null, ...report });
    expect((await there.get(url)).status).toBe(403);
    expect((await transfer(ada, url, "move", target)).body).toEqual({ ok: true, id, ...report });
    expect((await there.get(url)).status).toBe(200);
    expect((await ada.get(url)).status).toBe(403);
    expect((await transfer(ada, url, "move", target)).status).toBe(403);
  }
});

test("a copy needs the role viewer here and builder there; a move needs builder in both", async () => {
  const may = async (kind: (typeof KINDS)[number], verb: "copy" | "move", here: Role, there?: Role) => {
    const source = await addTeamWorkspace(app, [
      [ada, "owner"],
      [ben, here],
    ]);
    const target = await addTeamWorkspace(app, [
      [ada, "owner"],
      ...(there === undefined ? [] : [[ben, there] as [User, Role]]),
    ]);
    const url = `${kind.path}/${await kind.create(inWorkspace(ada, source))}`;
    return (await transfer(inWorkspace(ben, source), url, verb, target)).status;
  };
  for (const kind of KINDS) {
    expect(await may(kind, "copy", "viewer", "builder")).toBe(200);
    expect(await may(kind, "copy", "owner", "operator")).toBe(403);
    expect(await may(kind, "copy", "owner")).toBe(403);
    expect(await may(kind, "move", "operator", "owner")).toBe(403);
    expect(await may(kind, "move", "builder", "operator")).toBe(403);
    expect(await may(kind, "move", "builder", "builder")).toBe(200);
  }
});

test("the write itself checks the role: one that was lost after the check neither copies nor moves", async () => {
  // The cache of roles still has the old one, as in another process whose notification was lost.
  const source = await addTeamWorkspace(app, [[ben, "owner"]]);
  const target = await addTeamWorkspace(app, [[ben, "builder"]]);
  const as = inWorkspace(ben, source);
  const url = `/api/agents/${await KINDS[0].create(as)}`;
  expect((await transfer(as, url, "copy", target, true)).status).toBe(200);
  await app.sql(`update member set role = 'viewer' where workspace_id = '${target}'`);
  expect((await transfer(as, url, "copy", target)).body.error).toBe("transfer_conflict");
  expect((await transfer(as, url, "move", target)).body.error).toBe("transfer_conflict");
  await app.sql(`update member set role = 'builder' where workspace_id = '${target}'`);
  await app.sql(`update member set role = 'viewer' where workspace_id = '${source}'`);
  expect((await transfer(as, url, "move", target)).body.error).toBe("transfer_conflict");
  expect(await app.sql(`select id from agent where owner_id = '${target}'`)).toEqual([]);
});

test("a moved agent takes its memory and its name along; the report names what it needs and what uses it", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const workflow = (await ada.post("/api/workflows", { name: "Lookup", metadata: { steps: [], edges: [] } }))
    .body.workflow;
  const connection = (
    await ada.post("/api/connections", {
      name: "Models",
      kind: "bearer",
      secrets: { token: "hush" },
      hosts: ["models.example"],
    })
  ).body.connection;
  const { agent } = (
    await ada.post("/api/agents", {
      name: "Memo",
      provider: "openai",
      connection: connection.id,
      tools: { workflows: [workflow.id], documents: [] },
    })
  ).body;
  const team = (await ada.post("/api/agent-teams", { name: "Pair", agents: [agent.id] })).body.team;
  const steps = [{ stepId: "ask", type: "agent", agentId: agent.id, input: "Hi" }];
  const caller = (await ada.post("/api/workflows", { name: "Caller", metadata: { steps, edges: [] } })).body
    .workflow;
  await ada.put(`/api/store/${agent.id}/city`, { value: "Bern" });
  await ada.put(`/api/exposures/agent/${agent.id}`, { mcp: true, name: "memo_agent" });
  const other = (await there.post("/api/agents", { name: "Other" })).body.agent;
  await there.put(`/api/exposures/agent/${other.id}`, { mcp: true, name: "memo_agent" });

  const url = `/api/agents/${agent.id}`;
  const expected = {
    needed: {
      ...NOTHING,
      workflows: [{ id: workflow.id, name: "Lookup" }],
      connections: [{ id: connection.id, name: "Models" }],
    },
    usedBy: [
      { kind: "workflow", id: caller.id, name: "Caller" },
      { kind: "team", id: team.id, name: "Pair" },
    ],
  };
  const conflicts = [{ kind: "exposure", id: agent.id, name: "memo_agent" }];
  expect((await transfer(ada, url, "move", target, true)).body).toMatchObject({ ...expected, conflicts });
  const refused = await transfer(ada, url, "move", target);
  expect([refused.status, refused.body.error, refused.body.details]).toEqual([
    409,
    "transfer_conflict",
    { conflicts },
  ]);
  await there.put(`/api/exposures/agent/${other.id}`, { name: "other_agent" });
  expect((await transfer(ada, url, "move", target)).body).toMatchObject({ id: agent.id, ...expected });
  expect((await there.get(`/api/store/${agent.id}/city`)).body.value.value).toBe("Bern");
  expect((await there.get("/api/exposures?kind=agent")).text).toContain("memo_agent");
  const events = (await there.get("/api/audit-events")).body.events as { action: string; target: object }[];
  expect(events.filter(({ action }) => action === "moveAgent")).toMatchObject([
    { outcome: "succeeded", target: { kind: "agent", id: agent.id, name: "Memo" } },
  ]);
});

test("a moved team keeps its sessions and its secret; a session that has not ended is a conflict", async () => {
  const { app: teamApp, ada: owner, stub } = await useTeamApp();
  const target = await createTeamWorkspace(owner);
  const there = inWorkspace(owner, target);
  const agents = await makeAgents(owner, "Ann");
  await owner.put("/api/variables/partner", { value: "s3cret", secret: true });
  stub.answerWith("Done.");
  const team = await makeTeam(owner, {
    agents,
    externalAgents: [{ name: "Partner", capabilities: [], credential: { secret: "partner" } }],
  });
  const finished = await run(owner, team.id);
  expect((await ended(owner, finished)).status).toBe("completed");
  const before = await teamApp.sql(`select secret_hash from team where id = '${team.id}'`);
  stub.answerWith({ hang: true });
  const open = await run(owner, team.id);
  await until(
    () => stub.requests.length,
    (count) => count === 2,
  );

  const url = `/api/agent-teams/${team.id}`;
  const move = (dryRun = false) =>
    owner.post(`${url}/move${dryRun ? "?dryRun=true" : ""}`, { workspaceId: target });
  expect((await move(true)).body).toMatchObject({
    conflicts: [{ kind: "session", id: open }],
    needed: { agents: [{ id: agents[0], name: "Ann" }], variables: ["partner"] },
  });
  expect((await move()).body.error).toBe("transfer_conflict");
  await owner.post(`/api/agent-teams/sessions/${open}/cancel`);
  expect((await move()).body).toMatchObject({ id: team.id, isMoving: false });

  const { sessions } = (await there.get(`${url}/sessions`)).body;
  expect(sessions.map(({ id }: { id: string }) => id)).toEqual([open, finished]);
  expect((await there.get(`/api/agent-teams/sessions/${finished}`)).status).toBe(200);
  expect((await owner.get(`/api/agent-teams/sessions/${finished}`)).status).toBe(403);
  expect(await teamApp.sql(`select secret_hash from team where id = '${team.id}'`)).toEqual(before);
  expect(
    await teamApp.sql(`select distinct owner_id from task where id in ('${open}', '${finished}')`),
  ).toEqual([{ owner_id: target }]);
  // A session that was accepted before the move may still be stored: the team is watched for a minute.
  expect(
    (await there.post(`${url}/move`, { workspaceId: owner.user.id })).body.details.conflicts,
  ).toMatchObject([{ kind: "move", id: team.id }]);
});

test("many sessions of a moved team follow in the background", async () => {
  const target = await createTeamWorkspace(ada);
  const id = await KINDS[1].create(ada);
  const values = Array.from(
    { length: 400 },
    (_, n) => `('sess_${id}_${n}', '${id}', '${ada.user.id}', 'x', 'completed', 0, 0, 0, 0, '', ${n + 1})`,
  );
  await app.sql(`insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, turns, last_seq, last_write,
    created_at) values ${values.join(",")}`);
  expect((await transfer(ada, `/api/agent-teams/${id}`, "move", target)).body.isMoving).toBe(true);
  const left = async () =>
    Number(
      (
        await app.sql(`select count(*) as n from session where team_id = '${id}' and owner_id <> '${target}'`)
      )[0]?.["n"],
    );
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
});
