import { expect, onTestFinished, test } from "vitest";
import { upload } from "./documents/upload.ts";
import { startWordEmbeddings } from "./documents/word-embeddings.ts";
import { chain } from "./support/graphs.ts";
import { lines, pdfOf } from "./support/pdf.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const ask = {
  steps: [
    { stepId: "first", type: "transform", template: { secret: "{{input.secret}}" } },
    { stepId: "ask", type: "approval", message: "Pay {{input.secret}}?" },
  ],
  edges: [{ id: "e", source: "first", target: "ask" }],
};

async function setUp(settings: Record<string, string> = {}) {
  const app = await useTestApp(settings);
  const [ada, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  return { app, ada, ben };
}

async function startWaiting(user: RegisteredUser, count = 1): Promise<string[]> {
  const { workflow } = (await user.post("/api/workflows", { name: "Payroll", metadata: ask })).body;
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push(
      (await user.post(`/api/workflows/${workflow.id}/run?wait=true`, { input: { secret: "hush-hush" } }))
        .body.taskId,
    );
  return ids;
}

const listed = async (admin: RegisteredUser, query: string) =>
  (await admin.get(`/api/admin/tasks?${query}`)).body;
const statusOf = async (user: RegisteredUser, id: string) =>
  (await user.get(`/api/tasks/${id}`)).body.task.status as string;

test("administrators see the open runs of all workspaces, and nothing of their contents", async () => {
  const { ada, ben } = await setUp();
  const team = await createTeamWorkspace(ben);
  const [first] = await startWaiting(ben);
  const [second] = await startWaiting(inWorkspace(ben, team));
  const waiting = await ada.get("/api/admin/tasks?status=waiting_approval");
  expect(waiting.body.tasks).toEqual(
    expect.arrayContaining([
      {
        id: first,
        kind: "run",
        workspace: { id: ben.user.id, name: ben.email },
        teamName: null,
        workflowName: "Payroll",
        status: "waiting_approval",
        createdAt: expect.stringMatching(/Z$/),
        startedAt: expect.stringMatching(/Z$/),
        process: null,
        lastStep: expect.stringMatching(/^(first|ask)$/),
      },
      expect.objectContaining({ id: second, workspace: { id: team, name: "Team" } }),
    ]),
  );
  expect(waiting.text).not.toContain("hush-hush");
  expect((await listed(ada, "")).tasks).toEqual([]);
  expect((await ada.get("/api/admin/tasks?status=completed")).body.error).toBe("invalid_request");
});

test("a page of open runs continues where the last one ended, across workspaces", async () => {
  const { ada, ben } = await setUp();
  const ids = [...(await startWaiting(ada, 2)), ...(await startWaiting(ben, 3))];
  const seen: string[] = [];
  let cursor: string | null = "";
  do {
    const page: any = await listed(
      ada,
      `status=waiting_approval&limit=2&cursor=${encodeURIComponent(cursor)}`,
    );
    seen.push(...page.tasks.map(({ id }: any) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test("administrators stop one run, or all runs of a workspace, and no other", async () => {
  const { ada, ben } = await setUp();
  const [one = "", two = "", three = ""] = await startWaiting(ben, 3);
  const [own = ""] = await startWaiting(ada);
  expect((await ada.post(`/api/admin/tasks/${one}/stop`)).body).toEqual({ ok: true });
  expect([await statusOf(ben, one), await statusOf(ben, two)]).toEqual(["cancelled", "waiting_approval"]);
  const again = await ada.post(`/api/admin/tasks/${one}/stop`);
  expect([again.status, again.body.error]).toEqual([409, "task_finished"]);
  expect((await ada.post("/api/admin/tasks/task_unknown/stop")).body.error).toBe("task_not_found");

  const all = await ada.post(`/api/admin/workspaces/${ben.user.id}/stop`);
  expect(all.body).toEqual({ ok: true, stopped: 2, hasMore: false });
  expect([await statusOf(ben, two), await statusOf(ben, three)]).toEqual(["cancelled", "cancelled"]);
  expect(await statusOf(ada, own)).toBe("waiting_approval");
  expect((await ada.post("/api/admin/workspaces/ws_unknown/stop")).body.error).toBe("workspace_not_found");
});

test("administrators see and stop sessions of teams and documents that are ingested", async () => {
  const embeddings = await startWordEmbeddings();
  onTestFinished(() => embeddings.close());
  embeddings.beforeAnswer = () => new Promise(() => undefined);
  const { app, ada, ben } = await setUp({ ...embeddings.settings, TEAM_JOIN_WAIT_MS: "0" });
  const { team } = (await ben.post("/api/agent-teams", { name: "Desk", externalAgents: [{ name: "scout" }] }))
    .body;
  const startSession = async () =>
    (await ben.post(`/api/agent-teams/${team.id}/run`, { objective: "hush-hush" })).body.sessionId as string;
  const pdf = (text: string) => pdfOf([lines([text])]);
  const startIngestion = async (text: string) =>
    (await upload(ben, await pdf(text), { fileName: "hush-hush.pdf", query: "?async=true" })).body
      .document_id as string;
  const [first, second] = [await startSession(), await startSession()];
  const [one, two] = [await startIngestion("One."), await startIngestion("Two.")];
  const [run = ""] = await startWaiting(ben);
  const ids = async (query: string) => (await listed(ada, query)).tasks.map(({ id }: any) => id).toSorted();
  // With nobody inside who can answer, a session waits for the outside.
  await expect.poll(() => ids("kind=session&status=waiting")).toEqual([first, second].toSorted());
  // Documents of one workspace are read one after the other.
  await expect.poll(() => ids("kind=ingestion")).toEqual([one]);
  expect(await ids("kind=ingestion&status=queued")).toEqual([two]);
  const session = await ada.get("/api/admin/tasks?kind=session&status=waiting&limit=1");
  expect(session.body.tasks).toMatchObject([
    { kind: "session", teamName: "Desk", workflowName: null, workspace: { name: ben.email } },
  ]);
  expect(session.text + (await ada.get("/api/admin/tasks?kind=ingestion")).text).not.toContain("hush-hush");

  const sessionStatus = async (id: string) =>
    (await ben.get(`/api/agent-teams/sessions/${id}`)).body.session.status;
  const document = async (id: string) => (await ben.get(`/api/v1/documents/${id}`)).body;
  for (const id of [first, one]) expect((await ada.post(`/api/admin/tasks/${id}/stop`)).status).toBe(200);
  expect([await sessionStatus(first), await sessionStatus(second)]).toEqual(["cancelled", "active"]);
  expect(await document(one)).toMatchObject({ status: "failed", error: { code: "ingestion_stopped" } });
  expect((await document(two)).status).toBe("processing");
  for (const id of [first, one])
    expect((await ada.post(`/api/admin/tasks/${id}/stop`)).body.error).toBe("task_finished");

  const all = await ada.post(`/api/admin/workspaces/${ben.user.id}/stop`);
  expect(all.body).toEqual({ ok: true, stopped: 3, hasMore: false });
  expect([await statusOf(ben, run), await sessionStatus(second)]).toEqual(["cancelled", "cancelled"]);
  expect((await document(two)).status).toBe("failed");
  // Nothing of the documents stays but their rows, and the slots of the stopped ingestions are free.
  const parked = `select count(*) as n from task where lane = 'ingestion' and status = 'waiting' and run_at is null`;
  await expect.poll(async () => Number((await app.sql(parked))[0]?.["n"])).toBe(2);
  embeddings.beforeAnswer = () => Promise.resolve();
  expect((await upload(ben, await pdf("Three."))).status).toBe(201);
});

test("the storage of each workspace is measured, with the database and the disk", async () => {
  const { app, ada, ben } = await setUp();
  const { workflow } = (await ben.post("/api/workflows", { name: "Echo", metadata: chain("a", "b") })).body;
  for (let n = 0; n < 3; n += 1)
    await ben.post(`/api/workflows/${workflow.id}/run?wait=true`, { input: { text: "x".repeat(1000) } });
  const pdf = await pdfOf([lines(["The door opens with 4712."])]);
  expect((await upload(ben, pdf)).status).toBe(201);
  await app.sql(
    `insert into run_file (id, owner_id, name, content_type, size, created_at) values ('file_x', '${ben.user.id}', 'x', 'x', 500, 1)`,
  );
  const read = async () => (await ada.get("/api/admin/storage")).body;
  await read();
  await expect.poll(async () => (await read()).workspaces.length, { timeout: 30_000 }).toBe(2);
  await expect.poll(async () => (await read()).measuring).toBe(false);
  const { workspaces, databaseBytes, disk } = await read();
  expect(workspaces[0]).toMatchObject({
    workspace: { id: ben.user.id, name: ben.email, kind: "personal" },
    runs: { count: 3 },
    journal: { count: 9 },
    files: { count: 1, bytes: 500 },
    documents: { count: 1, bytes: pdf.byteLength },
  });
  expect(workspaces[0].runs.bytes).toBeGreaterThan(3000);
  expect(workspaces[1]).toMatchObject({ runs: { count: 0, bytes: 0 }, bytes: 0 });
  expect(databaseBytes).toBeGreaterThan(10_000);
  expect(disk.totalBytes).toBeGreaterThan(disk.freeBytes);
  const page = (await ada.get("/api/admin/storage?limit=1")).body;
  const rest = (await ada.get(`/api/admin/storage?limit=1&cursor=${encodeURIComponent(page.nextCursor)}`))
    .body;
  expect([...page.workspaces, ...rest.workspaces]).toEqual(workspaces);
  const { users } = (await ada.get("/api/admin/users?search=ben")).body;
  expect(users[0].storageBytes).toBe(workspaces[0].bytes);
});

test("many runs are counted exactly, and their sizes estimated", async () => {
  const { app, ada, ben } = await setUp();
  const rows = Array.from({ length: 2500 }, (_, index) => `('task_x${String(index).padStart(5, "0")}')`);
  await app.sql(
    `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
     select v.column1, '${ben.user.id}', 'wf_x', 1, 'completed', 'manual', '{"n":1}', 0, 1, 0, 0, 0, 1 from (values ${rows.join(", ")}) as v`,
  );
  await ada.get("/api/admin/storage");
  const usageOf = async () =>
    (await ada.get("/api/admin/storage")).body.workspaces.find(
      (each: any) => each.workspace.id === ben.user.id,
    );
  await expect.poll(usageOf, { timeout: 30_000 }).toMatchObject({ runs: { count: 2500, bytes: 2500 * 7 } });
});

test("administrators list the workspaces of the instance", async () => {
  const { ada, ben } = await setUp();
  const team = await createTeamWorkspace(ben);
  const { workspaces } = (await ada.get("/api/admin/workspaces")).body;
  expect(workspaces).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: team, name: "Team", kind: "team", members: 1 }),
      expect.objectContaining({ id: ben.user.id, name: ben.email, kind: "personal" }),
    ]),
  );
  const found = (await ada.get("/api/admin/workspaces?search=BEN-")).body.workspaces;
  expect(found.map(({ id }: any) => id)).toEqual([ben.user.id]);
});

test("[S22] nobody but administrators sees or stops the runs of others", async () => {
  const { ada, ben } = await setUp();
  const [id = ""] = await startWaiting(ada);
  for (const [method, path] of [
    ["GET", "/api/admin/tasks?status=waiting_approval"],
    ["POST", `/api/admin/tasks/${id}/stop`],
    ["POST", `/api/admin/workspaces/${ada.user.id}/stop`],
    ["GET", "/api/admin/storage"],
    ["GET", "/api/admin/workspaces"],
  ] as const) {
    const { status, body, text } = await ben.call(path, { method });
    expect([status, body.error]).toEqual([403, "forbidden"]);
    expect(text).not.toContain(ada.email);
  }
  expect(await statusOf(ada, id)).toBe("waiting_approval");
});
