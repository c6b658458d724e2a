import { expect, test } from "vitest";
import { registerUser, useTestApp } from "./support/test-app.ts";

test("the administrator sets the limits of a workspace, which hold at once", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const bob = await registerUser(app, "bob");
  const { id } = (await bob.get("/api/auth/me")).body.user;
  const url = `/api/admin/workspaces/${id}/rules`;
  expect((await ada.get(url)).body).toEqual({ ok: true, rules: { limits: [], retentionDays: null } });

  const changed = await ada.patch(url, { limits: [{ name: "store_values", value: 1 }], retentionDays: 7 });
  expect(changed.body.rules).toEqual({ limits: [{ name: "store_values", value: 1 }], retentionDays: 7 });
  expect((await bob.put("/api/store/workspace/a", { value: 1 })).status).toBe(200);
  expect((await bob.put("/api/store/workspace/b", { value: 1 })).body.error).toBe("limit_reached");
  for (const key of ["a", "b"])
    expect((await ada.put(`/api/store/workspace/${key}`, { value: 1 })).status).toBe(200);
  const { limits } = (await bob.get("/api/limits")).body;
  expect(limits).toContainEqual(expect.objectContaining({ name: "store_values", limit: 1, used: 1 }));

  // What is absent stays; an empty list returns to the limits of the instance.
  expect((await ada.patch(url, { limits: [] })).body.rules).toEqual({ limits: [], retentionDays: 7 });
  expect((await bob.put("/api/store/workspace/b", { value: 1 })).status).toBe(200);

  for (const body of [
    { limits: { value_bytes: 1 } },
    { limits: { store_values: -1 } },
    { retentionDays: 1.5 },
  ])
    expect((await ada.patch(url, body)).body.error).toBe("invalid_request");
  expect((await ada.get("/api/admin/workspaces/ws_unknown/rules")).body.error).toBe("workspace_not_found");
  for (const response of [
    await bob.get(url),
    await bob.patch(url, { limits: [{ name: "store_values", value: 9 }] }),
  ])
    expect([response.status, response.body.error]).toEqual([403, "forbidden"]);
});
