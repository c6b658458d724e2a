import { expect, test } from "vitest";
import { chain } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";

const { alice } = await shareApp(["alice"]);

async function stored(body: Record<string, unknown> = {}) {
  const response = await alice.post("/api/workflows", { name: "Report", metadata: chain("a", "b"), ...body });
  expect(response.status).toBe(201);
  return response.body.workflow;
}

test("the history lists every version, newest first, with author, time and note", async () => {
  const { id } = await stored();
  await alice.patch(`/api/workflows/${id}`, { name: "Second", note: "a better name" });
  const { body } = await alice.get(`/api/workflows/${id}/versions`);
  expect(body).toEqual({
    ok: true,
    nextCursor: null,
    versions: [
      {
        version: 2,
        name: "Second",
        note: "a better name",
        createdAt: expect.any(String),
        createdBy: alice.user.id,
        createdByName: "alice",
      },
      {
        version: 1,
        name: "Report",
        note: "Created",
        createdAt: expect.any(String),
        createdBy: alice.user.id,
        createdByName: "alice",
      },
    ],
  });
});

test("a version is named afterwards: only its note changes, and only of a published version", async () => {
  const { id } = await stored();
  const { version } = (await alice.get(`/api/workflows/${id}/versions/1`)).body;
  expect((await alice.patch(`/api/workflows/${id}/versions/1`, { note: "Before the sale" })).status).toBe(
    200,
  );
  expect((await alice.get(`/api/workflows/${id}/versions/1`)).body.version).toEqual({
    ...version,
    note: "Before the sale",
  });
  await alice.put(`/api/workflows/${id}/draft`, { name: "Draft" });
  const { workflowVersion } = (
    await alice.get(
      `/api/tasks/${(await alice.post(`/api/workflows/${id}/run?version=draft`, {})).body.taskId}`,
    )
  ).body.task;
  for (const unknown of [2, 0, workflowVersion, "x"])
    expect((await alice.patch(`/api/workflows/${id}/versions/${unknown}`, { note: "" })).body).toMatchObject({
      error: "version_not_found",
    });
});

test("a rollback creates a new version with the old content and keeps the history", async () => {
  const { id } = await stored({ description: "first" });
  await alice.put(`/api/workflows/${id}`, {
    name: "Second",
    description: "second",
    metadata: chain("x", "y", "z"),
  });
  const response = await alice.post(`/api/workflows/${id}/rollback/1`);
  expect(response.status).toBe(200);
  expect(response.body.workflow).toMatchObject({
    version: 3,
    name: "Report",
    description: "first",
    metadata: chain("a", "b"),
  });
  const { versions } = (await alice.get(`/api/workflows/${id}/versions`)).body;
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([3, 2, 1]);
  expect((await alice.get(`/api/workflows/${id}/versions/2`)).body.version).toMatchObject({
    workflowId: id,
    name: "Second",
    metadata: chain("x", "y", "z"),
  });
});

test.each(["0", "7", "-1", "1.5", "abc", "1e300", "9".repeat(30), "0x1", "1e0", "01", "%201"])(
  "the unknown version %s is 404 for reading and rolling back",
  async (version) => {
    const { id } = await stored();
    for (const response of [
      await alice.get(`/api/workflows/${id}/versions/${version}`),
      await alice.post(`/api/workflows/${id}/rollback/${version}`),
    ]) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ ok: false, error: "version_not_found" });
    }
  },
);

test("a save based on an older version is 409 and changes nothing", async () => {
  const { id } = await stored();
  await alice.patch(`/api/workflows/${id}`, { name: "Second" });
  const late = await alice.patch(`/api/workflows/${id}`, { name: "Late", baseVersion: 1 });
  expect(late.status).toBe(409);
  expect(late.body).toMatchObject({ ok: false, error: "version_conflict", details: { currentVersion: 2 } });
  const onTime = await alice.patch(`/api/workflows/${id}`, { name: "Third", baseVersion: 2 });
  expect(onTime.body.workflow).toMatchObject({ name: "Third", version: 3 });
});

test("of twenty concurrent saves on one base version exactly one succeeds", async () => {
  const { id } = await stored();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      alice.patch(`/api/workflows/${id}`, { name: `N${i}`, baseVersion: 1 }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.error === "version_conflict")).toHaveLength(19);
  expect((await alice.get(`/api/workflows/${id}/versions`)).body.versions).toHaveLength(2);
});

test("twenty concurrent saves without a base version all succeed, each as a version of its own", async () => {
  const { id } = await stored();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => alice.patch(`/api/workflows/${id}`, { name: `N${i}` })),
  );
  expect(new Set(responses.map(({ body }) => body.workflow?.version)).size).toBe(20);
  expect((await alice.get(`/api/workflows/${id}`)).body.workflow.version).toBe(21);
});
