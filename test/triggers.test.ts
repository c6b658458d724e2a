import { expect, test } from "vitest";
import { openFeedServer } from "./support/feed-server.ts";
import { createTestApp, registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";

async function createWorkflow(user: RegisteredUser): Promise<string> {
  const steps = [
    { stepId: "a", type: "transform", template: { title: "{{input.title}}", kind: "{{trigger.kind}}" } },
  ];
  return (await user.post("/api/workflows", { name: "Digest", metadata: { steps, edges: [] } })).body.workflow
    .id;
}

/** Outputs of the runs of this user, oldest first. */
async function outputs(user: RegisteredUser): Promise<unknown[]> {
  const { tasks } = (await user.get("/api/tasks?status=completed")).body;
  const results = await Promise.all(
    (tasks as { id: string }[]).map(
      async ({ id }) => (await user.get(`/api/tasks/${id}`)).body.task.result.output,
    ),
  );
  return results.reverse();
}

const rss = (workflowId: string, url: string, more: object = {}) => ({
  kind: "rss",
  workflowId,
  settings: { url, intervalSeconds: 1, ...more },
});
const FAST = { TRIGGER_MIN_INTERVAL_SECONDS: "0" };
const runOf = (id: string) => ({ title: `Title of ${id}`, kind: "rss" });

test("a feed starts a run for each new item, none for those of the first check, and asks for changes only", async () => {
  const app = await useTestApp(FAST);
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer("b", "a");
  const created = await ada.post("/api/triggers", rss(await createWorkflow(ada), feed.url));
  expect(created).toMatchObject({
    status: 201,
    body: { trigger: { kind: "rss", active: true, lastError: null, settings: { startWith: "new" } } },
  });
  await expect.poll(() => feed.requests.some(({ status }) => status === 304)).toBe(true);
  feed.items.unshift("d", "c");
  await expect.poll(() => outputs(ada)).toEqual([runOf("c"), runOf("d")]);
  const { id } = created.body.trigger;
  const { items } = (await ada.get(`/api/triggers/${id}/items`)).body;
  expect(items).toMatchObject([{ title: "Title of d" }, { title: "Title of c" }]);
  const { task } = (await ada.get(`/api/tasks/${items[1].taskId}`)).body;
  expect(task).toMatchObject({ trigger: "rss", input: { id: "c", feed: { title: "News", url: feed.url } } });
});

test("startWith all starts the items of the first check, oldest first", async () => {
  const app = await useTestApp(FAST);
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer("b", "a");
  await ada.post("/api/triggers", rss(await createWorkflow(ada), feed.url, { startWith: "all" }));
  await expect.poll(() => outputs(ada)).toEqual([runOf("a"), runOf("b")]);
});

test("a test returns the newest item as input, starts nothing and hides nothing from the trigger", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer("b", "a");
  const given = { ...rss(await createWorkflow(ada), feed.url, { intervalSeconds: 900 }), active: false };
  const { id } = (await ada.post("/api/triggers", given)).body.trigger;
  expect((await ada.post(`/api/triggers/${id}/test`)).body).toMatchObject({
    ok: true,
    sample: { title: "Title of b", input: { id: "b", link: "https://news.example/b" } },
  });
  expect((await ada.get("/api/tasks")).body.tasks).toEqual([]);
  expect((await ada.get(`/api/triggers/${id}`)).body.trigger).toMatchObject({ lastCheckAt: null });
  feed.items.splice(0);
  expect((await ada.post(`/api/triggers/${id}/test`)).body.sample).toBe(null);
  feed.answer = { status: 500 };
  expect(await ada.post(`/api/triggers/${id}/test`)).toMatchObject({
    status: 422,
    body: { error: "fetch_failed", message: "The feed answered with status 500." },
  });
});

test("a feed is decoded by its byte order mark, and UTF-8 that claims to be UTF-16 as UTF-8", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer();
  const given = { ...rss(await createWorkflow(ada), feed.url, { intervalSeconds: 900 }), active: false };
  const { id } = (await ada.post("/api/triggers", given)).body.trigger;
  const xml = `<?xml version="1.0" encoding="UTF-16"?><rss><channel><item><title>Ä 猫</title></item></channel></rss>`;
  const littleEndian = Buffer.from(`\ufeff${xml}`, "utf16le");
  for (const body of [littleEndian, Buffer.from(littleEndian).swap16(), Buffer.from(xml)]) {
    feed.answer = { body };
    expect((await ada.post(`/api/triggers/${id}/test`)).body.sample).toMatchObject({ title: "Ä 猫" });
  }
});

test("a feed that fails shows why, and a feed that is no feed or too large is an error, too", async () => {
  const app = await useTestApp(FAST);
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer();
  feed.answer = { body: "<html></html>" };
  const { id } = (await ada.post("/api/triggers", rss(await createWorkflow(ada), feed.url))).body.trigger;
  const error = async () => (await ada.get(`/api/triggers/${id}`)).body.trigger.lastError?.code;
  await expect.poll(error).toBe("invalid_response");
  feed.answer = { body: `<rss><channel><title>${"x".repeat(6_000_000)}</title></channel></rss>` };
  await ada.patch(`/api/triggers/${id}`, { settings: { url: `${feed.url}?large` } });
  await expect.poll(error).toBe("response_too_large");
});

test("a feed on a private network is refused by the guard of an instance that others can reach", async () => {
  const app = await useTestApp({ ...FAST, PUBLIC_URL: "https://baton.example" });
  const ada = await registerUser(app, "ada");
  const feed = await openFeedServer("a");
  const { id } = (await ada.post("/api/triggers", rss(await createWorkflow(ada), feed.url))).body.trigger;
  const trigger = async () => (await ada.get(`/api/triggers/${id}`)).body.trigger;
  await expect.poll(async () => (await trigger()).lastError?.code).toBe("egress_denied");
  expect((await ada.post(`/api/triggers/${id}/test`)).status).toBe(403);
  expect(feed.requests).toEqual([]);
});

test("triggers are limited in number and interval, and belong to a workflow of their owner", async () => {
  const app = await useTestApp({ TRIGGERS_PER_OWNER: "1" });
  const [ada, eve] = [await registerUser(app, "ada"), await registerUser(app, "eve")];
  const workflowId = await createWorkflow(ada);
  const given = { ...rss(workflowId, "https://feed.example/", { intervalSeconds: 60 }), active: false };
  expect(await ada.post("/api/triggers", rss(workflowId, "https://feed.example/"))).toMatchObject({
    status: 400,
    body: { details: [{ path: "settings.intervalSeconds" }] },
  });
  expect(
    await ada.post("/api/triggers", { ...given, settings: { url: "file:///etc/passwd" } }),
  ).toMatchObject({
    status: 400,
  });
  expect((await eve.post("/api/triggers", given)).status).toBe(403);
  const { id } = (await ada.post("/api/triggers", given)).body.trigger;
  expect(await ada.post("/api/triggers", given)).toMatchObject({
    status: 429,
    body: { error: "limit_reached", details: { limit: "TRIGGERS_PER_OWNER" } },
  });
  expect(await ada.patch(`/api/triggers/${id}`, { settings: { startWith: "never" } })).toMatchObject({
    status: 400,
    body: { details: [{ path: "settings.startWith" }] },
  });
  expect((await ada.patch(`/api/triggers/${id}`, { name: "News" })).body.trigger).toMatchObject({
    name: "News",
  });
  expect((await ada.get(`/api/triggers?workflowId=${workflowId}`)).body.triggers).toHaveLength(1);
  expect((await ada.get("/api/triggers?workflowId=wf_x")).body.triggers).toEqual([]);
  expect((await ada.delete(`/api/triggers/${id}`)).status).toBe(200);
  expect(await ada.get(`/api/triggers/${id}`)).toMatchObject({
    status: 404,
    body: { error: "trigger_not_found" },
  });
});

test("an item that waited while the service was down starts once at the next start", async () => {
  const feed = await openFeedServer("a");
  const first = await createTestApp(FAST);
  const ada = await registerUser(first, "ada");
  await ada.post("/api/triggers", rss(await createWorkflow(ada), feed.url));
  await expect.poll(() => feed.requests.length).toBeGreaterThan(0);
  await expect.poll(async () => (await ada.get("/api/triggers")).body.triggers[0].lastCheckAt).not.toBe(null);
  await first.stop();
  feed.items.unshift("b");
  const second = await useTestApp(FAST, { dataDir: first.dataDir });
  const again = await second.anonymous.post("/api/auth/login", { email: ada.email, password: ada.password });
  const headers = { authorization: `Bearer ${again.body.token}` };
  const titles = async () =>
    (await second.anonymous.call("/api/tasks", { headers })).body.tasks.map(({ trigger }: never) => trigger);
  await expect.poll(titles).toEqual(["rss"]);
  await first.close();
});

test("the password of a mailbox is encrypted, never returned, and asked for again with another host", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const settings = { host: "localhost", port: 1, user: "ada@mail.example" };
  const workflowId = await createWorkflow(ada);
  const given = { kind: "email", workflowId, active: false, settings, password: "hush-hush" };
  const created = await ada.post("/api/triggers", given);
  expect(created).toMatchObject({
    status: 201,
    body: { trigger: { kind: "email", settings: { mailbox: "INBOX", markSeen: false, security: "tls" } } },
  });
  const { id } = created.body.trigger;
  const read = await ada.get(`/api/triggers/${id}`);
  expect(created.text + read.text).not.toContain("hush");
  const [row] = await app.sql(`select * from triggers where id = '${id}'`);
  expect(JSON.stringify(row)).not.toContain("hush");
  expect(row?.["secrets"]).toMatch(/^v1\./);
  const moved = { settings: { host: "evil.example" } };
  expect(await ada.patch(`/api/triggers/${id}`, moved)).toMatchObject({
    status: 400,
    body: { details: [{ path: "password" }] },
  });
  expect((await ada.patch(`/api/triggers/${id}`, { ...moved, password: "other" })).status).toBe(200);
  expect(
    (await ada.patch(`/api/triggers/${id}`, { settings: { host: "localhost" }, password: "x" })).status,
  ).toBe(200);
  expect(await ada.post(`/api/triggers/${id}/test`)).toMatchObject({
    status: 422,
    body: { error: "fetch_failed", message: "The connection to localhost:1 failed (ECONNREFUSED)." },
  });
});
