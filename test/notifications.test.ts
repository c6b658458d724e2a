import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import type { Notification, NotificationSettings } from "../contract/notifications.ts";
import { reach, save, start } from "../server/engine/testing/workbench.ts";
import type { Client } from "./support/client.ts";
import { shareApp } from "./support/shared-app.ts";
import { useTestApp, registerUser } from "./support/test-app.ts";
import { sendJson, startVendor } from "./support/vendor.ts";
import { openReceiver } from "./support/webhook-receiver.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, owner, admin, builder, operator, viewer, stranger } = await shareApp(
  ["owner", "admin", "builder", "operator", "viewer", "stranger"],
  { STORE_VALUES_PER_OWNER: "1" },
);
const members = { owner, admin, builder, operator, viewer };

/** Every role in its own workspace, so that one test does not see the notifications of another. */
async function team() {
  const id = await createTeamWorkspace(owner, [
    [admin, "admin"],
    [builder, "builder"],
    [operator, "operator"],
    [viewer, "viewer"],
  ]);
  const there = Object.fromEntries(
    Object.entries(members).map(([name, user]) => [name, inWorkspace(user, id)]),
  ) as typeof members;
  return { id, ...there };
}

const failing = (url = "http://127.0.0.1:1/") => ({
  stepId: "call",
  name: "Call the shop",
  type: "http",
  method: "GET",
  url,
});
const question = { stepId: "ask", type: "approval", message: "Pay {{input.amount}}?" };

async function listOf(user: Client, query = ""): Promise<Notification[]> {
  const { status, body } = await user.get(`/api/notifications${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.notifications;
}

/** The only notification, once it stands for so many events. */
async function only(user: Client, count = 1): Promise<Notification> {
  await expect.poll(async () => (await listOf(user)).map((each) => each.count)).toEqual([count]);
  return (await listOf(user))[0]!;
}

const unreadOf = async (user: Client) => (await user.get("/api/notifications?limit=1")).body.unread;

/** The roles that see a notification, once the one with the least role does. */
async function receivers(there: typeof members, least: Client): Promise<string[]> {
  await only(least);
  const lists = await Promise.all(
    Object.entries(there).map(async ([role, user]) => [role, (await listOf(user)).length] as const),
  );
  return lists.filter(([, count]) => count === 1).map(([role]) => role);
}

async function runFailing(user: Client, name = "Orders", url?: string): Promise<string> {
  const workflowId = await save(user, [failing(url)], [], { name });
  await reach(user, await start(user, workflowId), "failed");
  return workflowId;
}

async function change(user: Client, set: (settings: NotificationSettings) => void): Promise<void> {
  const { settings } = (await user.get("/api/notification-settings")).body;
  set(settings);
  expect((await user.put("/api/notification-settings", settings)).status).toBe(200);
}

test("a failed run notifies builders and up, with its error, step and link", async () => {
  const { id: _id, ...there } = await team();
  await there.builder.put("/api/variables/token", { value: "hush-hush-hush", secret: true });
  const workflowId = await runFailing(there.builder, "Orders", "http://127.0.0.1:1/{{secrets.token}}");
  expect(await receivers(there, there.builder)).toEqual(["owner", "admin", "builder"]);
  // Its title is that of the version that ran.
  await there.builder.patch(`/api/workflows/${workflowId}`, {
    metadata: { steps: [{ ...failing(), stepId: "other", name: "Other" }], edges: [] },
  });
  const notification = await only(there.builder);
  expect(notification).toMatchObject({
    kind: "run_failed",
    title: "Orders",
    stepId: "call",
    stepTitle: "Call the shop",
    workflowId,
    unread: true,
    readAt: null,
    link: `/runs/${notification.taskId}`,
  });
  expect(notification.message).toContain("127.0.0.1");
  expect(JSON.stringify(notification)).not.toContain("hush-hush-hush");
});

test("failures of one workflow, step and error are one notification; others are not", async () => {
  const { owner: user } = await team();
  const workflowId = await runFailing(user);
  for (let runs = 1; runs < 4; runs++) await reach(user, await start(user, workflowId), "failed");
  const { firstAt, lastAt } = await only(user, 4);
  expect(Date.parse(lastAt)).toBeGreaterThanOrEqual(Date.parse(firstAt));
  const { failures } = (await user.get("/api/stats/failures?range=24h")).body;
  expect(failures).toMatchObject([{ stepId: "call", stepTitle: "Call the shop", count: 4 }]);
  // Items of a loop are one step.
  const loop = { stepId: "each", type: "foreach", items: [1], steps: [failing()], edges: [] };
  const looped = await save(user, [loop as never], [], { name: "Loop" });
  for (let runs = 0; runs < 2; runs++) await reach(user, await start(user, looped), "failed");
  await expect
    .poll(async () => (await listOf(user)).map(({ title, count }) => [title, count]))
    .toEqual([
      ["Loop", 2],
      ["Orders", 4],
    ]);
});

test("tests of drafts and steps, and the failures of sub-workflows, notify nobody by themselves", async () => {
  const { owner: user } = await team();
  const child = await save(user, [failing()], [], { name: "Child" });
  const workflowId = await save(user, [failing()], [], { name: "Orders" });
  await user.put(`/api/workflows/${workflowId}/draft`, { metadata: { steps: [failing()], edges: [] } });
  const drafted = await user.post(`/api/workflows/${workflowId}/run?version=draft`, {});
  await reach(user, drafted.body.taskId, "failed");
  const partial = await user.post(`/api/workflows/${workflowId}/run-partial`, { stepIds: ["call"] });
  await reach(user, partial.body.taskId, "failed");
  const parent = await save(user, [{ stepId: "sub", type: "workflow", workflowId: child }], [], {
    name: "Parent",
  });
  const asking = await save(user, [question], [], { name: "Asking child" });
  await user.put(`/api/workflows/${parent}/draft`, {
    metadata: { steps: [{ stepId: "sub", type: "workflow", workflowId: asking }], edges: [] },
  });
  const tested = await user.post(`/api/workflows/${parent}/run-partial?version=draft`, { stepIds: ["sub"] });
  const isAsked = async () => (await user.get("/api/tasks?status=waiting_approval")).body.tasks.length;
  // The child and its parent.
  await expect.poll(isAsked).toBe(2);
  await reach(user, await start(user, parent), "failed");
  expect((await only(user)).title).toBe("Parent");
  await user.post(`/api/tasks/${tested.body.taskId}/cancel`);
});

test("an approval notifies those who may decide, until it is decided", async () => {
  const { id: _id, ...there } = await team();
  const taskId = await start(there.owner, await save(there.owner, [question]), { amount: 12 });
  expect(await receivers(there, there.operator)).toEqual(["owner", "admin", "builder", "operator"]);
  expect(await only(there.operator)).toMatchObject({
    kind: "approval_requested",
    message: "Pay 12?",
    stepId: "ask",
    taskId,
    unread: true,
    link: `/runs/${taskId}`,
  });
  expect(await unreadOf(there.builder)).toBe(1);
  await there.operator.post(`/api/tasks/${taskId}/resume`, { decision: "approve" });
  expect([await unreadOf(there.operator), await unreadOf(there.builder)]).toEqual([0, 0]);
});

test.each([
  [(email: string) => [email], ["operator"]],
  [() => ["role:admin"], ["owner", "admin"]],
])("an approval with approvers notifies only them", async (approvers, receiving) => {
  const { id: _id, ...there } = await team();
  const step = { ...question, approvers: approvers(operator.email) };
  await start(there.owner, await save(there.owner, [step]), { amount: 1 });
  const [first] = receiving as [keyof typeof members];
  expect(await receivers(there, there[first])).toEqual(receiving);
});

test("a connection that stops working notifies builders and up, once", async () => {
  let status = 200;
  const vendor = await startVendor((_request, response) => sendJson(response, status, {}));
  const { id: _id, ...there } = await team();
  const { connection } = (
    await there.builder.post("/api/connections", {
      name: "Shop",
      kind: "bearer",
      settings: {},
      secrets: { token: "hush-hush" },
      hosts: [vendor.host],
    })
  ).body;
  const step = { ...failing(vendor.url), connection: connection.id, maxRetries: 0 };
  const workflowId = await save(there.builder, [step]);
  await reach(there.builder, await start(there.builder, workflowId), "completed");
  expect(await listOf(there.builder)).toEqual([]);
  status = 401;
  for (let runs = 0; runs < 2; runs++)
    await reach(there.builder, await start(there.builder, workflowId), "failed");
  const problems = async (user: Client) =>
    (await listOf(user)).filter(({ kind }) => kind === "connection_problem");
  await expect.poll(() => problems(there.builder)).toHaveLength(1);
  expect((await problems(there.builder))[0]).toMatchObject({
    title: "Shop",
    count: 1,
    connectionId: connection.id,
    link: `/connections/${connection.id}`,
  });
  expect(await problems(there.operator)).toEqual([]);
});

test("a limit that is reached notifies admins and owners, with the number of refusals", async () => {
  const { id: _id, ...there } = await team();
  const put = (key: string) => there.builder.put(`/api/store/workspace/${key}`, { value: 1 });
  expect((await put("a")).status).toBe(200);
  for (let times = 0; times < 3; times++) expect((await put("b")).body.error).toBe("limit_reached");
  const notification = await only(there.admin, 3);
  expect(notification).toMatchObject({
    kind: "limit_reached",
    title: "STORE_VALUES_PER_OWNER",
    link: "/settings/limits",
  });
  expect(await listOf(there.owner)).toHaveLength(1);
  expect(await listOf(there.builder)).toEqual([]);
});

test("a notification is read by one person, and unread again when it grows", async () => {
  const { builder: user, owner: other } = await team();
  const workflowId = await runFailing(user);
  const { id } = await only(user);
  const read = await user.post("/api/notifications/read", { ids: [id] });
  expect(read.body).toEqual({ ok: true, unread: 0 });
  expect(await only(user)).toMatchObject({ unread: false, readAt: expect.any(String) });
  expect(await listOf(user, "?unread=true")).toEqual([]);
  expect(await unreadOf(other)).toBe(1);
  await reach(user, await start(user, workflowId), "failed");
  expect((await only(user, 2)).unread).toBe(true);
  expect((await user.post("/api/notifications/read", { all: true })).body.unread).toBe(0);
  for (const body of [{}, { all: true, ids: [id] }, { ids: [] }])
    expect((await user.post("/api/notifications/read", body)).status).toBe(400);
});

test("the list is paged, the latest first", async () => {
  const { owner: user } = await team();
  for (const name of ["A", "B", "C"]) {
    await runFailing(user, name);
    await expect.poll(async () => (await listOf(user))[0]?.title).toBe(name);
  }
  const first = (await user.get("/api/notifications?limit=2")).body;
  expect(first.notifications.map(({ title }: Notification) => title)).toEqual(["C", "B"]);
  const rest = (await user.get(`/api/notifications?limit=2&cursor=${first.nextCursor}`)).body;
  expect(rest.notifications.map(({ title }: Notification) => title)).toEqual(["A"]);
  expect(rest.nextCursor).toBeNull();
});

test("nobody sees or reads the notifications of another workspace, and a removed member sees none", async () => {
  const { id, ...there } = await team();
  await runFailing(there.owner);
  const { id: noteId } = await only(there.builder);
  expect((await inWorkspace(stranger, id).get("/api/notifications")).status).toBe(403);
  await stranger.post("/api/notifications/read", { ids: [noteId] });
  await there.viewer.post("/api/notifications/read", { ids: [noteId] });
  expect(await app.sql(`select * from notification_read where notification_id = '${noteId}'`)).toEqual([]);
  // The same person in their personal workspace.
  expect(await listOf(builder)).toEqual([]);
  await there.builder.post("/api/notifications/read", { all: true });
  await change(there.builder, (settings) => (settings.mailFrequency = "daily"));
  await there.owner.delete(`/api/workspaces/${id}/members/${builder.user.id}`);
  expect((await there.builder.get("/api/notifications")).status).toBe(403);
  for (const table of ["notification_read", "notification_person"])
    expect(
      await app.sql(`select * from ${table} where user_id = '${builder.user.id}' and owner_id = '${id}'`),
    ).toEqual([]);
});

test("a new member sees nothing from before, and one who loses the role nothing more", async () => {
  const { id, ...there } = await team();
  await runFailing(there.owner);
  await only(there.owner);
  const { token } = (await there.owner.post(`/api/workspaces/${id}/invitations`, { role: "admin" })).body;
  await stranger.post("/api/invitations/accept", { token });
  expect(await listOf(inWorkspace(stranger, id))).toEqual([]);
  expect(await listOf(there.builder)).toHaveLength(1);
  await there.owner.patch(`/api/workspaces/${id}/members/${builder.user.id}`, { role: "viewer" });
  expect(await listOf(there.builder)).toEqual([]);
});

test("an approval whose approvers are gone notifies admins, once, and they may decide it", async () => {
  const { id, ...there } = await team();
  const leaving = await registerUser(app, "leaving");
  const { token } = (await there.owner.post(`/api/workspaces/${id}/invitations`, { role: "operator" })).body;
  await leaving.post("/api/invitations/accept", { token });
  const ask = (approvers: string[]) => ({ ...question, approvers });
  const run = async (...approvers: string[]) => {
    const taskId = await start(there.owner, await save(there.owner, [ask(approvers)]), { amount: 1 });
    await reach(there.owner, taskId, "waiting_approval");
    return taskId;
  };
  const [removed, disabled, kept] = [
    await run(operator.email),
    await run(leaving.email),
    await run(operator.email, builder.email),
  ];
  const blocked = async (user: Client) =>
    (await listOf(user)).filter(({ kind }) => kind === "approval_blocked").map(({ taskId }) => taskId);
  await there.owner.patch(`/api/workspaces/${id}/members/${viewer.user.id}`, { role: "operator" });
  expect(await blocked(there.admin)).toEqual([]);

  await there.owner.delete(`/api/workspaces/${id}/members/${operator.user.id}`);
  await expect.poll(() => blocked(there.admin)).toEqual([removed]);
  // The first account is the administrator of the instance.
  const change = await owner.patch(`/api/admin/users/${leaving.user.id}`, { disabled: true });
  expect(change.status).toBe(200);
  await expect.poll(() => blocked(there.admin)).toEqual([disabled, removed]);
  expect(await blocked(there.owner)).toEqual([disabled, removed]);
  expect(await blocked(there.builder)).toEqual([]);
  const [notification] = await listOf(there.admin);
  expect(notification).toMatchObject({
    kind: "approval_blocked",
    count: 1,
    unread: true,
    link: `/runs/${disabled}`,
  });

  for (const taskId of [disabled, removed])
    expect((await there.admin.post(`/api/tasks/${taskId}/resume`)).body.status).toBe("running");
  expect((await there.admin.post(`/api/tasks/${kept}/resume`)).body.error).toBe("forbidden");
  expect(await unreadOf(there.admin)).toBe(0);
});

test("settings are those of a person in a workspace, and say what the role receives", async () => {
  const { id: _id, ...there } = await team();
  const { body } = await there.operator.get("/api/notification-settings");
  const kinds = [
    "run_failed",
    "approval_requested",
    "approval_blocked",
    "connection_problem",
    "limit_reached",
  ];
  expect(body).toEqual({
    ok: true,
    settings: {
      kinds: kinds.map((kind) => ({ kind, page: true, mail: true })),
      mailFrequency: "immediate",
    },
    receives: ["approval_requested"],
    mail: "not_configured",
  });
  await change(there.builder, (settings) => (settings.kinds[0]!.page = false));
  expect((await there.builder.get("/api/notification-settings")).body.settings.kinds[0].page).toBe(false);
  expect((await there.admin.get("/api/notification-settings")).body.settings.kinds[0].page).toBe(true);
  expect((await builder.get("/api/notification-settings")).body.settings.kinds[0].page).toBe(true);
  await runFailing(there.owner);
  await only(there.admin);
  expect([await listOf(there.builder), await unreadOf(there.builder)]).toEqual([[], 0]);
  expect((await there.builder.put("/api/notification-settings", { kinds: [] })).status).toBe(400);
});

test("a subscription to notifications gets one message for a group, and events of connections and limits are events", async () => {
  const receiver = await openReceiver();
  onTestFinished(() => receiver.close());
  const { owner: user } = await team();
  const types = ["baton.notification.created", "baton.limit.reached"];
  await user.post("/api/event-subscriptions", { url: receiver.url, types });
  const workflowId = await runFailing(user);
  await only(user);
  await reach(user, await start(user, workflowId), "failed");
  const { id, taskId: _taskId } = await only(user, 2);
  await user.put("/api/store/workspace/a", { value: 1 });
  await user.put("/api/store/workspace/b", { value: 1 });
  const received = () => receiver.received.map(({ body }) => [body.type, body.data.kind ?? body.data.limit]);
  await expect
    .poll(() => received().toSorted())
    .toEqual([
      ["baton.limit.reached", "store_values"],
      ["baton.notification.created", "limit_reached"],
      ["baton.notification.created", "run_failed"],
    ]);
  const failed = receiver.received.find(({ body }) => body.data.kind === "run_failed")!.body;
  expect(failed).toMatchObject({
    subject: id,
    data: { id, title: "Orders", count: 1, workflowId, workflowName: "Orders", stepTitle: "Call the shop" },
  });
  expect(failed.data.url).toMatch(/^http.+\/runs\/task_/);
});

test("a connected page is told of changes in its workspace only", async () => {
  const live = await useTestApp();
  const [ada, bob] = [await registerUser(live, "ada"), await registerUser(live, "bob")];
  const url = await live.listen();
  const heard: string[] = [];
  for (const { token, user } of [ada, bob]) {
    const socket = io(url, { auth: { token }, transports: ["websocket"] });
    onTestFinished(() => void socket.close());
    socket.on("NOTIFICATIONS_CHANGED", () => heard.push(user.id));
    await new Promise<void>((resolve) => void socket.on("connect", () => resolve()));
  }
  await runFailing(ada);
  await expect.poll(() => heard).toContain(ada.user.id);
  await only(ada);
  expect(heard).not.toContain(bob.user.id);
});
