import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { echoGraph, publish } from "./support/endpoints.ts";
import { resultOf, runSteps } from "./support/run-steps.ts";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "./support/test-app.ts";

const CSV = "id,name\n1,Ada\n2,Bob\n";
const server = createServer((request, response) => void answer(request, response));
let base = "";
let app: TestApp;
let user: RegisteredUser;
let received: { headers: IncomingMessage["headers"]; body: Buffer }[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await createTestApp({ ALLOW_PRIVATE_NETWORK: "true", MAX_FILE_BYTES: "100000" });
  user = await registerUser(app, "files");
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", base);
  if (pathname === "/orders") {
    response.setHeader("content-disposition", `attachment; filename="Orders May.csv"`);
    response.setHeader("content-encoding", "gzip");
    response.setHeader("content-type", "text/csv").end(gzipSync(CSV));
  } else if (pathname === "/huge") {
    response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(200_000)));
  } else if (pathname === "/moved") {
    await buffer(request);
    response.writeHead(307, { location: "/upload" }).end();
  } else if (pathname === "/upload") {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.setHeader("content-type", "application/json").end('{"ok":true}');
  } else if (pathname === "/empty") response.writeHead(204).end();
  else response.writeHead(404).end("no such file");
}

const run = (steps: Parameters<typeof runSteps>[1], input: object = {}, as = user) =>
  runSteps(as, steps, input);

const download = (path = "/orders") => ({
  stepId: "get",
  type: "http",
  url: `${base}${path}`,
  responseAs: "file",
});
test("a download becomes a file reference, and its bytes are downloaded by the owner only", async () => {
  const task = await run([download()]);
  const file = resultOf(task, "get")?.output;
  expect(file).toEqual({
    file: expect.stringMatching(/^file_/),
    name: "Orders May.csv",
    contentType: "text/csv",
    size: CSV.length,
  });
  const response = await user.get(`/api/run-files/${file.file}`);
  expect([response.status, response.text]).toEqual([200, CSV]);
  expect(response.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": expect.stringContaining("Orders May.csv"),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  });
  const other = await registerUser(app, "other");
  expect((await other.get(`/api/run-files/${file.file}`)).status).toBe(403);
  expect((await app.anonymous.get(`/api/run-files/${file.file}`)).status).toBe(401);
  expect((await user.get("/api/run-files/file_x")).body.error).toBe("file_not_found");
  // A reference in the input of another user opens nothing.
  const stolen = await run(
    [{ stepId: "send", type: "http", method: "POST", url: `${base}/upload`, body: "{{input.file}}" }],
    { file },
    other,
  );
  expect(resultOf(stolen, "send")?.error.code).toBe("forbidden");
});

test("a file is uploaded as the body with its length, and sent again after a redirect", async () => {
  received = [];
  const task = await run([
    download(),
    { stepId: "put", type: "http", method: "PUT", url: `${base}/moved`, body: "{{steps.get.output}}" },
  ]);
  expect(task.status).toBe("completed");
  expect(received).toHaveLength(1);
  expect(received[0]?.body.toString()).toBe(CSV);
  expect(received[0]?.headers).toMatchObject({
    "content-type": "text/csv",
    "content-length": String(CSV.length),
  });
});

test("multipart fields send files and text in one form", async () => {
  received = [];
  const multipart = { title: "May", file: "{{steps.get.output}}", tag: ["a", "b"] };
  await run([download(), { stepId: "send", type: "http", method: "POST", url: `${base}/upload`, multipart }]);
  const [{ headers, body }] = received as [{ headers: IncomingMessage["headers"]; body: Buffer }];
  expect(headers["content-length"]).toBe(String(body.length));
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": headers["content-type"]! },
  }).formData();
  expect([form.get("title"), form.getAll("tag")]).toEqual(["May", ["a", "b"]]);
  const file = form.get("file") as File;
  expect([file.name, file.type, await file.text()]).toEqual(["Orders May.csv", "text/csv", CSV]);
});

test("a download over the limit fails, counts decompressed bytes and keeps nothing", async () => {
  const before = (await app.sql("select count(*) as n from run_file"))[0]?.["n"];
  const task = await run([download("/huge")]);
  expect(resultOf(task, "get")?.error).toMatchObject({ code: "output_too_large" });
  expect((await app.sql("select count(*) as n from run_file"))[0]?.["n"]).toEqual(before);
});

test("an error response is no file, and an empty response is null", async () => {
  expect(resultOf(await run([download("/missing")]), "get")?.error.code).toBe("http_error");
  expect(resultOf(await run([download("/empty")]), "get")?.output).toBeNull();
});

test("the use of files is part of the limits", async () => {
  const owner = await registerUser(app, "usage");
  await run([download()], {}, owner);
  const { limits } = (await owner.get("/api/limits")).body;
  const found = limits.find(({ name }: { name: string }) => name === "owner_file_bytes");
  expect(found).toMatchObject({ used: CSV.length, setting: "FILE_BYTES_PER_OWNER" });
});

test("deleting the account deletes its files", async () => {
  const owner = await registerUser(app, "leaver");
  const file = resultOf(await run([download()], {}, owner), "get")?.output;
  await owner.call("/api/auth/me", { method: "DELETE", body: { password: owner.password } });
  await expect.poll(async () => app.sql(`select id from run_file where id = '${file.file}'`)).toEqual([]);
});

test("a file step reads a file of the folder as a reference, and writes a reference into the folder", async () => {
  const task = await run([
    download(),
    {
      stepId: "write",
      type: "file",
      action: "write",
      path: "in/orders.csv",
      content: "{{steps.get.output}}",
    },
    { stepId: "read", type: "file", action: "read", path: "in/orders.csv", as: "file" },
    { stepId: "text", type: "file", action: "read", path: "in/orders.csv" },
  ]);
  expect(resultOf(task, "write").output).toEqual({ path: "in/orders.csv", bytes: CSV.length });
  expect(resultOf(task, "text").output).toBe(CSV);
  const file = resultOf(task, "read").output;
  expect(file).toMatchObject({ name: "orders.csv", contentType: "text/csv", size: CSV.length });
  expect(file.file).not.toBe(resultOf(task, "get").output.file);
  expect((await user.get(`/api/run-files/${file.file}`)).text).toBe(CSV);
});

test("a form without a length may have several files of the largest size", async () => {
  const { id } = await publish(user, { authentication: false }, echoGraph);
  const form = new FormData();
  for (const name of ["a", "b", "c", "d"])
    form.append(name, new Blob([Buffer.alloc(100_000)]), `${name}.bin`);
  // The body of a response is a stream: it is sent in chunks.
  const { headers, body } = new Response(form);
  const request = { method: "POST", headers, body, duplex: "half" as const };
  const response = await fetch(`${await app.listen()}/api/workflows/public/${id}`, request);
  const { result } = (await response.json()) as { result: { output: Record<string, { size: number }> } };
  expect(Object.values(result.output).map(({ size }) => size)).toEqual([100_000, 100_000, 100_000, 100_000]);
});
