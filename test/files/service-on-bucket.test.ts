import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { upload } from "../documents/upload.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { startStubBucket } from "../support/stub-bucket.ts";
import { createTestApp, registerUser, useTestApp } from "../support/test-app.ts";

async function useBucket() {
  const bucket = await startStubBucket();
  onTestFinished(() => bucket.close());
  return bucket;
}

test("with a bucket, documents, large outputs and files of steps are stored only there", async () => {
  const bucket = await useBucket();
  // Open to the network: private addresses are closed to workflows, and the operator's bucket still works.
  const app = await useTestApp({ ...bucket.settings, S3_PREFIX: "team/baton", HOST: "0.0.0.0" });
  const alice = await registerUser(app, "alice");

  const bytes = await pdfOf([lines(["The Halden 40 pump stands in the cellar."])]);
  const uploaded = await upload(alice, bytes);
  expect(uploaded.status).toBe(201);
  const path = `/api/v1/documents/${uploaded.body.document_id}`;
  const file = await alice.get(`${path}/file`);
  expect([file.status, file.headers["content-length"]]).toEqual([200, String(bytes.length)]);

  const steps = [
    { stepId: "write", type: "file", action: "write", path: "out/big.txt", content: "{{input.text}}" },
    { stepId: "read", type: "file", action: "read", path: "out/big.txt" },
  ];
  const edges = [{ id: "e", source: "write", target: "read" }];
  const { body } = await alice.post("/api/workflows", { name: "Files", metadata: { steps, edges } });
  const text = "grüße ".repeat(100_000);
  const run = await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input: { text } });
  expect(run.body.result.output === text).toBe(true);
  const task = await alice.get(`/api/tasks/${run.body.taskId}`);
  expect(task.body.task.result.output === text).toBe(true);

  const areas = [...bucket.objects.keys()].map((key) => key.replace(/^team\/baton\/(\w+)\/.*/, "$1"));
  expect([...new Set(areas)].sort()).toEqual(["blobs", "documents", "files"]);
  expect(await readdir(join(app.dataDir, "scratch"))).toEqual([]);
  expect(await readdir(join(app.dataDir, "documents"))).toEqual(["incoming"]);
  expect(await readdir(app.dataDir)).not.toContain("files");

  expect((await alice.delete(path)).status).toBe(200);
  expect([...bucket.objects.keys()].filter((key) => key.includes("/documents/"))).toEqual([]);
  expect(bucket.rejections).toEqual([]);
});

test("the service can reach the bucket's private address, but workflows cannot", async () => {
  const bucket = await useBucket();
  const app = await useTestApp({ ...bucket.settings, HOST: "0.0.0.0" });
  const alice = await registerUser(app, "alice");
  const steps = [
    { stepId: "peek", type: "http", method: "GET", url: `${bucket.settings.S3_ENDPOINT}/baton-files` },
  ];
  const { body } = await alice.post("/api/workflows", { name: "Peek", metadata: { steps, edges: [] } });
  const run = await alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`);
  expect(run.body.stepResults[0].error.code).toBe("egress_denied");
});

test("a bucket that rejects the credentials fails the start with the setting to fix", async () => {
  const bucket = await useBucket();
  await expect(createTestApp({ ...bucket.settings, S3_SECRET_ACCESS_KEY: "another" })).rejects.toMatchObject({
    code: "file_store_refused",
    message: expect.stringContaining("S3_ACCESS_KEY_ID"),
  });
});

test("an unavailable bucket delays a large output; a file step fails with a retryable error", async () => {
  const bucket = await useBucket();
  const app = await useTestApp(bucket.settings);
  const alice = await registerUser(app, "alice");
  const run = async (step: object, input: object = {}) => {
    const { body } = await alice.post("/api/workflows", {
      name: "W",
      metadata: { steps: [step], edges: [] },
    });
    return alice.post(`/api/workflows/${body.workflow.id}/run?wait=true`, { input });
  };
  const away = Array.from({ length: 8 }, () => ({ status: 503, code: "ServiceUnavailable" }));
  bucket.failNext(...away);
  const text = "x".repeat(300_000);
  const large = await run({ stepId: "large", type: "transform", template: "{{input.text}}" }, { text });
  expect([large.body.status, large.body.result.output === text]).toEqual(["completed", true]);

  bucket.failNext(...away, ...away);
  const file = { stepId: "file", type: "file", action: "read", path: "a.txt" };
  const failed = await run(file);
  expect(failed.body.stepResults[0].error).toMatchObject({
    code: "file_store_unavailable",
    message: expect.stringContaining("does not respond (503)"),
  });
});
