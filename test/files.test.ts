import { expect, test } from "vitest";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";

async function writeFile(user: RegisteredUser, path: string, content: unknown): Promise<void> {
  const { body } = await user.post("/api/workflows", {
    name: "Write",
    metadata: { steps: [{ stepId: "write", type: "file", action: "write", path, content }], edges: [] },
  });
  const run = await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
  expect(run.status).toBe(200);
}

const contentOf = (path: string): string => `/api/files/content?path=${encodeURIComponent(path)}`;

test("files that steps wrote are listed folder by folder, downloaded and deleted", async () => {
  const app = await useTestApp();
  const user = await registerUser(app, "writer");
  expect((await user.get("/api/files")).body).toMatchObject({ files: [], nextCursor: null });
  await writeFile(user, "reports/2026/may.txt", "Income: 12 €");
  await writeFile(user, "reports/2026/june.txt", "Income: 14 €");
  await writeFile(user, "a-note.txt", "hello");

  const root = (await user.get("/api/files")).body;
  expect(root.files).toEqual([
    { name: "reports", path: "reports", kind: "folder", bytes: 0 },
    { name: "a-note.txt", path: "a-note.txt", kind: "file", bytes: 5 },
  ]);
  const first = (await user.get("/api/files?path=reports/2026&limit=1")).body;
  expect(first.files.map(({ path }: { path: string }) => path)).toEqual(["reports/2026/june.txt"]);
  const second = (await user.get(`/api/files?path=reports/2026&limit=1&cursor=${first.nextCursor}`)).body;
  expect(second).toMatchObject({ files: [{ name: "may.txt" }], nextCursor: null });

  const download = await user.get(contentOf("reports/2026/may.txt"));
  expect(download.text).toBe("Income: 12 €");
  expect(download.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": expect.stringContaining("may.txt"),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  });

  expect((await user.call("/api/files?path=reports", { method: "DELETE" })).status).toBe(200);
  expect((await user.get("/api/files")).body.files).toHaveLength(1);
  expect((await user.get(contentOf("reports/2026/may.txt"))).body.error).toBe("file_not_found");
  expect((await user.call("/api/files?path=reports", { method: "DELETE" })).status).toBe(404);
});

test("a path never leaves the folder of its owner, and each mistake is named", async () => {
  const app = await useTestApp();
  const owner = await registerUser(app, "owner");
  const other = await registerUser(app, "other");
  await writeFile(owner, "private.txt", "secret");
  expect((await other.get(contentOf("private.txt"))).body.error).toBe("file_not_found");
  const refused = { error: "invalid_request", details: [{ path: "path" }] };
  for (const path of ["../owner/private.txt", "/", "\u0000"])
    expect((await owner.get(contentOf(path))).body).toMatchObject(refused);
  expect((await owner.get("/api/files?path=private.txt")).body).toMatchObject(refused);
  const root = await owner.call("/api/files?path=", { method: "DELETE" });
  expect([root.status, root.body.message]).toEqual([400, "Your folder itself cannot be deleted."]);
  expect((await owner.get("/api/files")).body.files).toHaveLength(1);
});
