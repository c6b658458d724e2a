import { expect, test } from "vitest";
import type { Client } from "./support/client.ts";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { registerUser } from "./support/test-app.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);
const ids: string[] = [];
for (let i = 0; i < 7; i++) {
  ids.unshift((await alice.post("/api/workflows", { name: `W${i}` })).body.workflow.id);
  await bob.post("/api/workflows", { name: "Bob's" });
}

async function pages(client: Client, url: string, key: string, limit: number) {
  const found: { id: string; name: string }[][] = [];
  let cursor = "";
  for (;;) {
    const { status, body } = await client.get(
      `${url}?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(status).toBe(200);
    found.push(body[key]);
    if (body.nextCursor === null) return found;
    cursor = body.nextCursor;
  }
}

test("the pages of a list contain every own record once, newest first, and no record of another user", async () => {
  const found = await pages(alice, "/api/workflows", "workflows", 3);
  expect(found.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(found.flat().map(({ id }) => id)).toEqual(ids);
});

test("a list that ends with a full page has no next cursor", async () => {
  const { body } = await alice.get("/api/workflows?limit=7");
  expect([body.workflows.length, body.nextCursor]).toEqual([7, null]);
});

test.each(["/api/workflows", "/api/templates", "/api/tasks", "/api/keys", "/api/v1/documents"])(
  "an empty cursor returns the first page of %s",
  async (url) => {
    await alice.post("/api/keys");
    expect((await alice.get(`${url}?cursor=`)).body).toEqual((await alice.get(url)).body);
  },
);

test("a record created while paging does not shift later pages", async () => {
  const first = (await alice.get("/api/workflows?limit=3")).body;
  const { id } = (await alice.post("/api/workflows", { name: "Meanwhile" })).body.workflow;
  const second = (await alice.get(`/api/workflows?limit=3&cursor=${first.nextCursor}`)).body;
  expect(second.workflows.map((workflow: { id: string }) => workflow.id)).toEqual(ids.slice(3, 6));
  await alice.delete(`/api/workflows/${id}`);
});

test("versions are paged", async () => {
  const { id } = (await alice.post("/api/workflows", { name: "V1" })).body.workflow;
  for (let i = 2; i <= 5; i++) await alice.patch(`/api/workflows/${id}`, { name: `V${i}` });
  const found = await pages(alice, `/api/workflows/${id}/versions`, "versions", 2);
  expect(found.flat()).toMatchObject([5, 4, 3, 2, 1].map((version) => ({ version })));
});

test("pages of templates continue from own templates into the starters", async () => {
  for (let i = 0; i < 3; i++) await alice.post("/api/templates", { name: `T${i}`, ...chain("a", "b") });
  const whole = (await alice.get("/api/templates?limit=200")).body.templates;
  const found = await pages(alice, "/api/templates", "templates", 2);
  expect(found.flat()).toEqual(whole);
  expect(whole.slice(0, 3).map(({ name }: { name: string }) => name)).toEqual(["T2", "T1", "T0"]);
});

test.each(["0", "201", "-1", "1.5", "abc", "", "0x10", "1e1", "%2010", "1&limit=2"])(
  "limit=%s is 400",
  async (limit) => {
    for (const url of ["/api/workflows", "/api/templates", `/api/workflows/${ids[0]}/versions`]) {
      const { status, body } = await alice.get(`${url}?limit=${limit}`);
      expect([status, body.error, body.details?.[0]?.path]).toEqual([400, "invalid_request", "limit"]);
    }
  },
);

test.each(["x", "starter:abc", "starter:-5", "0x10", "%00", "%F0%9F%98%80", "9".repeat(200)])(
  "the cursor %s, which no list has sent, is 400",
  async (cursor) => {
    for (const url of [
      "/api/workflows",
      "/api/templates",
      `/api/workflows/${ids[0]}/versions`,
      "/api/store",
    ]) {
      const { status, body } = await alice.get(`${url}?cursor=${cursor}`);
      expect([status, body.error, body.details?.[0]?.path]).toEqual([400, "invalid_request", "cursor"]);
    }
  },
);

const padding = "x".repeat(1_500_000);
const metadata = { steps: [{ stepId: "a", type: "transform", template: padding }], edges: [] };

test.each([
  ["workflows", () => ({ metadata })],
  ["templates", () => ({ metadata })],
  ["webhooks", (i: number, workflowId: string) => ({ workflowId, source: `s${i}`, metadata: { padding } })],
  ["schedules", (_i: number, workflowId: string) => ({ workflowId, cron: "0 9 * * *", input: padding })],
])("a page of huge %s ends early, and the next page continues there", async (noun, bodyOf) => {
  const carol = await registerUser(app, "carol");
  const { workflow } = (await carol.post("/api/workflows", { name: "Small" })).body;
  for (let i = 0; i < 5; i++) {
    const { status } = await carol.post(`/api/${noun}`, { name: `Huge ${i}`, ...bodyOf(i, workflow.id) });
    expect(status).toBe(201);
  }
  const found = await pages(carol, `/api/${noun}`, noun, 5);
  expect(found[0]!.length).toBeLessThan(5);
  const own = found.flat().filter(({ name }) => name.startsWith("Huge"));
  expect(own.map(({ name }) => name)).toEqual([4, 3, 2, 1, 0].map((i) => `Huge ${i}`));
});
