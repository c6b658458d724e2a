import { expect, test } from "vitest";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { inTurn, run, save, serve, stepOf } from "../../server/engine/testing/workbench.ts";
import { startService } from "../support/service-process.ts";
import { createTestApp, registerUser, useTemporaryFolder, useTestApp } from "../support/test-app.ts";

const secret = "p4ss/word+of=mine";
const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];

test("[S20] a secret is in no export, no template and no line of the log, also when the step that uses it fails", async () => {
  const dataDir = await useTemporaryFolder();
  const service = startService({ DATA_DIR: dataDir, LOG_LEVEL: "trace" });
  const base = await service.ready();
  const other = await serve((request, response) => {
    response.statusCode = 500;
    response.end(`you sent ${request.headers["authorization"]}`);
  });
  const headers: Record<string, string> = { "content-type": "application/json" };
  const send = async (method: string, path: string, body?: unknown): Promise<any> => {
    const response = await fetch(base + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  const account = { email: "ada@example.com", password: "long enough" };
  headers["authorization"] = `Bearer ${(await send("POST", "/api/auth/register", account)).token}`;
  await send("PUT", "/api/variables/token", { value: secret, secret: true });
  const call = {
    stepId: "call",
    type: "http",
    method: "GET",
    url: `${other.url}/{{secrets.token}}`,
    headers: { authorization: "Bearer {{secrets.token}}" },
  };
  const { workflow } = await send("POST", "/api/workflows", { name: "x", metadata: { steps: [call] } });
  const failed = await send("POST", `/api/workflows/${workflow.id}/run?wait=true`, {});
  expect(failed.error).toBe("execution_failed");
  const exported = await send("GET", `/api/workflows/${workflow.id}/export`);
  const variables = await send("GET", "/api/variables");
  await service.stop();
  expect(other.calls).toHaveLength(1);
  expect(JSON.stringify(failed)).toContain("•••");
  for (const form of forms)
    for (const text of [
      JSON.stringify(failed),
      JSON.stringify(exported),
      JSON.stringify(variables),
      service.output(),
    ])
      expect(text).not.toContain(form);
});

test("[S20] no approval message and no error shows a secret, in any letter case or encoding", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/token", { value: secret, secret: true });
  const doubled = Buffer.from(Buffer.from(secret).toString("base64")).toString("base64");
  const echoed = [secret.toUpperCase(), encodeURIComponent(encodeURIComponent(secret)), doubled];
  const other = await serve((_request, response) => {
    response.statusCode = 400;
    response.end(echoed.join(" "));
  });
  const failed = await run(ada, [
    { stepId: "call", type: "http", method: "GET", url: `${other.url}/{{secrets.token}}` },
  ]);
  expect(failed.status).toBe("failed");
  const steps = [{ stepId: "ask", type: "approval", message: "Send {{secrets.token}}?" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "x", metadata: { steps } })).body;
  await ada.post(`/api/workflows/${workflow.id}/run`, {});
  await expect.poll(async () => (await ada.get("/api/approvals")).body.approvals?.length).toBe(1);
  const approvals = await ada.get("/api/approvals");
  expect(approvals.body.approvals[0].message).toBe("Send •••?");
  for (const form of [...forms, ...echoed]) expect(JSON.stringify(failed)).not.toContain(form);
});

test("[S33] variables named like settings of the process stay data and never reach its environment", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const before = { ...process.env };
  const other = await serve(inTurn({ arrived: true }));
  for (const name of ["HTTP_PROXY", "http_proxy", "NODE_OPTIONS", "PATH"])
    await ada.put(`/api/variables/${name}`, { value: "http://127.0.0.1:1" });
  const task = await run(ada, [
    { stepId: "call", type: "http", method: "GET", url: other.url },
    { stepId: "look", type: "transform", expression: "$exists(process) or $exists(env) or $exists(global)" },
  ]);
  expect(task).toMatchObject({ status: "completed" });
  expect(stepOf(task, "call").output).toEqual({ arrived: true });
  expect(stepOf(task, "look").output).toBe(false);
  expect(process.env).toEqual(before);
  // Saving rejects an unknown root, so no placeholder is ever resolved from one.
  const bad = { stepId: "a", type: "transform", template: "{{process.env.PATH}}" };
  const refused = await ada.post("/api/workflows", { name: "x", metadata: { steps: [bad] } });
  expect(refused.status).toBe(422);
  await save(ada, [{ stepId: "a", type: "transform", template: "{{vars.NODE_OPTIONS}}" }]);
});

test("the data folder and its files are private, also those that existed before", async () => {
  const dataDir = await useTemporaryFolder();
  const first = await createTestApp({}, { dataDir });
  const modesOf = async () => {
    const names = (await readdir(dataDir, { withFileTypes: true })).filter((entry) => entry.isFile());
    const paths = [dataDir, ...names.map(({ name }) => join(dataDir, name))];
    return Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
  };
  const [folder, ...files] = await modesOf();
  expect(folder).toBe("700");
  expect(new Set(files)).toEqual(new Set(["600"]));
  await first.stop();
  await chmod(dataDir, 0o755);
  for (const entry of await readdir(dataDir, { withFileTypes: true }))
    if (entry.isFile()) await chmod(join(dataDir, entry.name), 0o644);
  await useTestApp({}, { dataDir });
  const [folderAgain, ...filesAgain] = await modesOf();
  expect(folderAgain).toBe("700");
  expect(new Set(filesAgain)).toEqual(new Set(["600"]));
});

test("[S24] no response sets a cookie: a login is a header that no other page can send", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const answers = [
    await app.anonymous.post("/api/auth/login", { email: ada.email, password: ada.password }),
    await ada.get("/api/auth/me"),
    await app.anonymous.get("/"),
    await app.anonymous.get("/api/docs"),
    await app.anonymous.get("/socket.io/?EIO=4&transport=polling"),
  ];
  for (const { headers } of answers) expect(headers["set-cookie"]).toBeUndefined();
});
