import { readdir, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../server/storage/sqlite/connection.ts";
import { registerAt } from "./support/registered-user.ts";
import { startService } from "./support/service-process.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

test("what a kill interrupts is done once more: a download without a file left behind, code and the answer of a chat", async () => {
  const dataDir = await useTemporaryFolder();
  const requests: string[] = [];
  const server = createServer(({ url: path = "" }, response) => {
    const isFirst = !requests.includes(path);
    requests.push(path);
    response.setHeader("content-type", path === "/answer" ? "text/plain" : "text/csv");
    // The first answer of each path never ends.
    if (isFirst) response.write("id\n1\n");
    else response.end(path === "/answer" ? "Good day." : "id\n1\n2\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings = {
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_NETWORK: "true",
    ALLOW_REGISTRATION: "true",
    CODE_TIMEOUT_MS: "60000",
  };
  const incoming = join(dataDir, "run-files", "incoming");
  const listed = () => readdir(incoming).catch(() => []);

  const first = startService(settings);
  const user = await registerAt(await first.ready());
  const { call, token } = user;
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const save = async (step: object) =>
    (await call("/api/workflows", { name: "Crash", metadata: { steps: [step], edges: [] } })).workflow.id;
  const download = await save({
    stepId: "get",
    type: "http",
    url: `${other}/orders.csv`,
    responseAs: "file",
  });
  const { taskId } = await call(`/api/workflows/${download}/run`, {});
  // It ends only after the restart: the variable is changed in between.
  await fetch(`${user.address}/api/variables/HOLD`, {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ value: true }),
  });
  const coded = await save({
    stepId: "busy",
    type: "code",
    code: "while (vars.HOLD);\nreturn { held: vars.HOLD }",
  });
  const { taskId: codeTaskId } = await call(`/api/workflows/${coded}/run`, {});
  const workflowId = await save({ stepId: "answer", type: "http", method: "GET", url: `${other}/answer` });
  await call("/api/triggers", { kind: "chat", workflowId, settings: { slug: "desk" } });
  const conversationId = "conversation-00000000000000000001";
  const message = { conversationId, messageId: "m1", message: "Good morning" };
  const asked = call("/api/chats/desk/messages", message).catch(() => undefined);
  await expect.poll(() => requests.toSorted(), { timeout: 10_000 }).toEqual(["/answer", "/orders.csv"]);
  await expect.poll(listed, { timeout: 10_000 }).toHaveLength(1);
  await expect
    .poll(async () => (await call(`/api/tasks/${codeTaskId}`)).task.stepResults[0]?.status, {
      timeout: 10_000,
    })
    .toBe("running");
  await first.stop("SIGKILL");
  await asked;
  const held = openConnection(join(dataDir, "baton.sqlite"));
  held.exec("update variable set value = 'false' where name = 'HOLD'");
  held.close();

  const [left] = await listed();
  await utimes(join(incoming, left!), 0, 0);
  const second = startService(settings);
  user.address = await second.ready();
  await expect
    .poll(async () => (await call(`/api/tasks/${taskId}`)).task.status, { timeout: 20_000 })
    .toBe("completed");
  const { output } = (await call(`/api/tasks/${taskId}`)).task.stepResults[0];
  expect(output).toMatchObject({ name: "orders.csv", size: 7 });
  await expect.poll(listed).toEqual([]);
  await expect
    .poll(async () => (await call(`/api/tasks/${codeTaskId}`)).task.result?.output, { timeout: 20_000 })
    .toEqual({ held: false });
  const conversation = async () => (await call(`/api/chats/desk/conversations/${conversationId}`)).messages;
  await expect
    .poll(async () => (await conversation()).map((each: { text: string }) => each.text), { timeout: 20_000 })
    .toEqual(["Good morning", "Good day."]);
  expect(requests.toSorted()).toEqual(["/answer", "/answer", "/orders.csv", "/orders.csv"]);
  expect(await second.stop()).toBe(0);

  const database = openConnection(join(dataDir, "baton.sqlite"));
  expect(database.prepare("select id, unlinked_at from run_file").all()).toEqual([
    { id: output.file, unlinked_at: null },
  ]);
  database.close();
  const owner = (await readdir(join(dataDir, "run-files"))).find((name) => name.startsWith("user_"));
  expect(await readdir(join(dataDir, "run-files", owner ?? ""))).toEqual([output.file]);
});
