import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { type RegisteredUser } from "./support/test-app.ts";

const { alice, bob } = await shareApp(["alice", "bob"]);

const create = (user: RegisteredUser, apiSettings?: unknown) =>
  user.post("/api/workflows", { name: "Endpoint", apiSettings });

test.each(["a", "daily-report", "Daily_Report", "0", "x".repeat(63)])(
  "%s is a valid slug",
  async (endpointName) => {
    const { status, body } = await create(alice, { enabled: true, endpointName });
    expect(status).toBe(201);
    expect(body.workflow.apiSettings).toEqual({
      enabled: true,
      endpointName,
      authentication: true,
      sync: true,
    });
  },
);

test.each(["-a", "_a", "a b", "a/b", "ä", "x".repeat(64), "a.b", "a\n", 5, ["a"]])(
  "%j is rejected as slug",
  async (endpointName) => {
    const response = await create(alice, { enabled: true, endpointName });
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
  },
);

test("an enabled slug is unique across users, regardless of case, and only its owner may use it again", async () => {
  const first = (await create(alice, { enabled: true, endpointName: "unique" })).body.workflow;
  const second = await create(bob, { enabled: true, endpointName: "UNIQUE" });
  expect([second.status, second.body.error]).toEqual([409, "slug_taken"]);

  const waiting = (await create(bob, { endpointName: "unique" })).body.workflow;
  const enable = () => bob.patch(`/api/workflows/${waiting.id}`, { apiSettings: { enabled: true } });
  expect((await enable()).status).toBe(409);
  await alice.patch(`/api/workflows/${first.id}`, { apiSettings: { enabled: false } });
  expect((await enable()).body.error).toBe("slug_taken");

  const next = (await create(alice, { enabled: true, endpointName: "Unique" })).body.workflow;
  const back = await alice.patch(`/api/workflows/${first.id}`, { apiSettings: { enabled: true } });
  expect([back.status, back.body.error]).toEqual([409, "slug_taken"]);
  await alice.delete(`/api/workflows/${next.id}`);
  expect((await alice.patch(`/api/workflows/${first.id}`, { apiSettings: { enabled: true } })).status).toBe(
    200,
  );
});

test("a rejected slug creates neither a workflow nor a version", async () => {
  await create(alice, { enabled: true, endpointName: "occupied" });
  const mine = (await create(bob)).body.workflow;
  const refused = await bob.put(`/api/workflows/${mine.id}`, {
    name: "Renamed",
    apiSettings: { enabled: true, endpointName: "occupied" },
  });
  expect(refused.status).toBe(409);
  expect((await bob.get(`/api/workflows/${mine.id}`)).body.workflow).toEqual(mine);
  expect((await bob.get(`/api/workflows/${mine.id}/versions`)).body.versions).toHaveLength(1);
  const before = (await bob.get("/api/workflows")).body.workflows.length;
  expect((await create(bob, { enabled: true, endpointName: "occupied" })).status).toBe(409);
  expect((await bob.get("/api/workflows")).body.workflows).toHaveLength(before);
});

test("of ten concurrent requests for one slug exactly one succeeds", async () => {
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      create(i % 2 ? alice : bob, { enabled: true, endpointName: "race" }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.error === "slug_taken")).toHaveLength(9);
});

test("omitted settings keep their value, and null or empty text clears the name", async () => {
  const { id } = (
    await create(alice, {
      enabled: true,
      endpointName: "cleared",
      authentication: false,
      sync: false,
      responseStepId: "a",
    })
  ).body.workflow;
  const patch = async (apiSettings: unknown) =>
    (await alice.patch(`/api/workflows/${id}`, { apiSettings })).body.workflow.apiSettings;
  expect(await patch({ sync: true })).toEqual({
    enabled: true,
    endpointName: "cleared",
    authentication: false,
    sync: true,
    responseStepId: "a",
  });
  expect(await patch({ endpointName: null, responseStepId: null })).toEqual({
    enabled: true,
    endpointName: null,
    authentication: false,
    sync: true,
  });
  const misspelled = await alice.patch(`/api/workflows/${id}`, {
    apiSettings: { responseStepId: "nowhere" },
  });
  expect(misspelled.body).toMatchObject({
    workflow: { apiSettings: { responseStepId: "nowhere" } },
    warnings: [{ code: "unknown_response_step" }],
  });
  expect(await patch({ endpointName: "again" })).toMatchObject({ endpointName: "again" });
  expect(await patch({ endpointName: "" })).toMatchObject({ endpointName: null });
});
