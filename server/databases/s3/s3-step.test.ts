import { readFile } from "node:fs/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { startStubBucket, type StubBucket } from "../../../test/support/stub-bucket.ts";
import type { StepCall } from "../../engine/run/step-runner.ts";
import { createFairQueue } from "../../lib/fair-queue.ts";
import type { LimitValues } from "../../limits/limits.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import { createEgress } from "../../security/egress.ts";
import { sampleCall } from "../../steps/testing/sample-call.ts";
import { fakeRunFiles } from "../sql/testing/driver-contract.ts";
import type { S3Storage } from "../use-connection.ts";
import { createS3Runner } from "./s3-step.ts";

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
let bucket: StubBucket;
let folder = "";
beforeAll(async () => {
  bucket = await startStubBucket({ pageSize: 2 });
  folder = mkdtempSync(join(tmpdir(), "baton-s3-"));
});
afterAll(async () => {
  await bucket.close();
  await egress.close();
  rmSync(folder, { recursive: true, force: true });
});

const files = fakeRunFiles();
const FILE = { file: `file_${"a".repeat(29)}`, name: "report.csv", contentType: "text/csv", size: 7 };

interface Options {
  storage?: Partial<S3Storage>;
  limits?: Partial<LimitValues>;
  closed?: boolean;
  call?: Partial<StepCall>;
}

async function s3(
  action: string,
  fields: Record<string, JsonValue>,
  { storage = {}, limits, closed, call = {} }: Options = {},
) {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const runner = createS3Runner({
    egress: closed ? createEgress({ allowPrivate: false, allow: [], deny: [] }) : egress,
    withStorage: (_call, work) =>
      work({
        endpoint: S3_ENDPOINT,
        bucket: S3_BUCKET,
        region: S3_REGION,
        accessKeyId: S3_ACCESS_KEY_ID,
        secretAccessKey: S3_SECRET_ACCESS_KEY,
        ...storage,
      }),
    runFiles: {
      create: files.create as never,
      find: async () => FILE,
      withLocalFile: async (_owner, _id, use) => {
        writeFileSync(join(folder, "local"), "a,b\n1,2");
        return use(join(folder, "local"));
      },
    },
    limits: limitsOf(limits),
    clock: { now: () => Date.parse("2026-11-16T10:00:00Z") },
    queue: createFairQueue({ slots: 4, slotsPerKey: 4, refuse: () => new Error("full") }),
    pause: async () => undefined,
  });
  return (await runner.run(sampleCall({ connection: "conn_1", action, ...fields }, call))).output;
}

describe("the s3 step", () => {
  test("writes text, JSON, bytes and files, and reads them again", async () => {
    expect(await s3("put", { key: "a/ü b.txt", content: "hello" })).toMatchObject({
      key: "a/ü b.txt",
      bytes: 5,
    });
    expect(await s3("get", { key: "a/ü b.txt" })).toBe("hello");
    await s3("put", { key: "a/data.json", content: { n: 1 } });
    expect(bucket.objects.get("a/data.json")?.bytes.toString()).toBe('{"n":1}');
    const binary = { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 };
    await s3("put", { key: "a/bytes", content: binary });
    expect(bucket.objects.get("a/bytes")?.bytes).toEqual(Buffer.from([0, 255]));
    expect(await s3("put", { key: "b/report.csv", content: FILE })).toMatchObject({ bytes: 7 });
    expect(bucket.objects.get("b/report.csv")?.bytes.toString()).toBe(
      await readFile(join(folder, "local"), "utf8"),
    );
    expect(bucket.rejections).toEqual([]);
  });

  test("streams an object into a file", async () => {
    await s3("put", { key: "large.txt", content: "x".repeat(200_000) });
    const output = await s3("get", { key: "large.txt", as: "file" }, { limits: { value_bytes: 1000 } });
    expect(output).toMatchObject({ name: "large.txt", size: 200_000 });
    await expect(s3("get", { key: "large.txt" }, { limits: { value_bytes: 1000 } })).rejects.toMatchObject({
      code: "output_too_large",
    });
  });

  test("lists page by page and deletes", async () => {
    for (const name of ["1", "2", "3"]) await s3("put", { key: `list/${name}`, content: name });
    const first = (await s3("list", { prefix: "list/", limit: 2 })) as {
      objects: { key: string }[];
      next: string;
    };
    expect(first.objects.map(({ key }) => key)).toEqual(["list/1", "list/2"]);
    const second = await s3("list", { prefix: "list/", after: first.next });
    expect(second).toMatchObject({ objects: [{ key: "list/3", bytes: 1 }], next: null });
    expect(await s3("delete", { key: "list/3" })).toMatchObject({ deleted: true });
    expect(bucket.objects.has("list/3")).toBe(false);
  });

  test("a signed URL holds no secret and goes to the endpoint of the connection", async () => {
    const { url, expiresAt } = (await s3("signed_url", { key: "a/b c.txt", expiresInSeconds: 60 })) as Record<
      string,
      string
    >;
    const { origin, pathname, searchParams } = new URL(url!);
    expect(origin).toBe(bucket.settings.S3_ENDPOINT);
    expect(pathname).toBe(`/${bucket.settings.S3_BUCKET}/a/b%20c.txt`);
    expect(searchParams.get("X-Amz-Expires")).toBe("60");
    expect(searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);
    expect(url).not.toContain(bucket.settings.S3_SECRET_ACCESS_KEY);
    expect(expiresAt).toBe("2026-11-16T10:01:00.000Z");
    const hosted = (await s3(
      "signed_url",
      { key: "k" },
      { storage: { endpoint: "https://s3.example.com", virtualHosted: true } },
    )) as { url: string };
    expect(hosted.url).toMatch(new RegExp(`^https://${bucket.settings.S3_BUCKET}\\.s3\\.example\\.com/k\\?`));
  });

  test.each(["evil.com/", "a b", "x@evil.com", "..", "evil.com#"])(
    "the bucket %j is refused",
    async (name) => {
      await expect(s3("get", { key: "k", bucket: name })).rejects.toMatchObject({ code: "invalid_field" });
    },
  );

  test.each(["../other-bucket/payroll.csv", "a/../../other/b", "..", "a/./b", "."])(
    "the key %j, which leaves the bucket, is refused",
    async (key) => {
      for (const action of ["get", "put", "delete", "signed_url"])
        await expect(s3(action, { key, content: "x" })).rejects.toMatchObject({ code: "invalid_field" });
    },
  );

  test("a large object is counted as a large value, also without a declared length", async () => {
    const chunk = Buffer.alloc(256 * 1024);
    const server = createServer((_request, response) => {
      for (let i = 0; i < 8; i++) response.write(chunk);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    let holds = 0;
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = { holdLargeValue: async () => void holds++ };
    await s3("get", { key: "k" }, { storage: { endpoint }, call });
    expect(holds).toBe(1);
  });

  test("failures name what is wrong and no credential", async () => {
    await expect(s3("get", { key: "none" })).rejects.toMatchObject({
      code: "query_failed",
      message: 'There is no object "none" in the bucket "baton-files".',
    });
    await expect(s3("get", { key: "k" }, { storage: { secretAccessKey: "wrong" } })).rejects.toMatchObject({
      code: "connection_authorization_required",
    });
    await expect(s3("get", { key: "k" }, { closed: true })).rejects.toMatchObject({ code: "egress_denied" });
    await expect(s3("get", { key: "k" }, { storage: { bucket: undefined } })).rejects.toMatchObject({
      code: "invalid_field",
    });
  });
});
