import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, registerUser, type RegisteredUser, type TestApp } from "../support/test-app.ts";
import { until } from "../teams/team-app.ts";
import { type Binding, clientFor, sendFor } from "./a2a-client.ts";

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
}

let app: TestApp;
let ada: RegisteredUser;
let base: string;
let receiver: string;
let status = 200;
const received: Received[] = [];
const server = createServer((request, response) => {
  let text = "";
  request.on("data", (piece: Buffer) => (text += piece.toString()));
  request.on("end", () => {
    received.push({ headers: request.headers, text });
    response.writeHead(status).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  app = await createTestApp({ RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" });
  const address = await app.listen();
  ada = await registerUser(app, "ada");
  const { workflow } = (
    await ada.post("/api/workflows", {
      name: "Pay",
      metadata: { steps: [{ stepId: "ask", type: "approval", message: "Pay?" }], edges: [] },
    })
  ).body;
  await ada.put(`/api/exposures/workflow/${workflow.id}`, { a2a: true });
  base = `${address}/a2a/${workflow.id}`;
});

afterAll(async () => {
  await app.close();
  server.close();
});

async function client(binding: Binding) {
  const { rawKey } = (await ada.post("/api/keys", { scopes: ["a2a"] })).body;
  return clientFor(base, binding, { authorization: `Bearer ${rawKey}` });
}

const config = (url: string, more: object = {}) => ({
  tenant: "",
  id: "",
  taskId: "",
  url,
  token: "",
  authentication: undefined,
  ...more,
});
const of = (taskId: string) => received.filter(({ text }) => text.includes(taskId));

test.each<Binding>(["JSONRPC", "HTTP+JSON", "0.3"])(
  "every change of a task is sent to its webhook, signed with the token and with the credentials, over %s",
  async (binding) => {
    const caller = await client(binding);
    const task = await sendFor(
      caller,
      "Pay",
      {},
      {
        taskPushNotificationConfig: config(receiver, {
          token: "shared secret",
          authentication: { scheme: "Bearer", credentials: "abc" },
        }),
      },
    );
    // The status in between may be sent as well.
    const arrived = async (state: RegExp) => {
      const matching = () => of(task.id).filter(({ text }) => state.test(text));
      return (await until(matching, (found) => found.length > 0))[0]!;
    };
    const { headers, text } = await arrived(/"state":"(TASK_STATE_INPUT_REQUIRED|input-required)"/);
    expect([headers["authorization"], headers["x-a2a-notification-token"]]).toEqual([
      "Bearer abc",
      "shared secret",
    ]);
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
    const signature = createHmac("sha256", "shared secret").update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    expect(JSON.parse(text)).toMatchObject(
      binding === "0.3"
        ? { kind: "task", id: task.id, status: { state: "input-required" } }
        : { statusUpdate: { taskId: task.id, status: { state: "TASK_STATE_INPUT_REQUIRED" } } },
    );
    await sendFor(caller, "approve", { taskId: task.id });
    const ended = await arrived(/"state":"(TASK_STATE_COMPLETED|completed)"/);
    expect(JSON.parse(ended.text)).toMatchObject(
      binding === "0.3"
        ? { kind: "task", status: { state: "completed" } }
        : {
            task: { id: task.id, status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ name: "result" }] },
          },
    );
  },
);

test.each<Binding>(["JSONRPC", "HTTP+JSON", "0.3"])(
  "webhooks are created, read, listed and deleted by the caller of the task alone, without their secrets, over %s",
  async (binding) => {
    const caller = await client(binding);
    const task = await sendFor(caller, "Pay");
    const given = config(receiver, { taskId: task.id, id: "mine", token: "shared secret" });
    const named = { tenant: "", taskId: task.id, id: "mine" };
    expect(await caller.createTaskPushNotificationConfig(given)).toMatchObject({
      id: "mine",
      url: receiver,
      token: "",
    });
    expect(await caller.getTaskPushNotificationConfig(named)).toMatchObject({ url: receiver, token: "" });
    const list = async () =>
      (
        await caller.listTaskPushNotificationConfig({
          tenant: "",
          taskId: task.id,
          pageSize: 0,
          pageToken: "",
        })
      ).configs.map(({ id }) => id);
    expect(await list()).toEqual(["mine"]);
    const other = await client(binding);
    await expect(other.createTaskPushNotificationConfig(given)).rejects.toThrow(/not found/);
    await expect(other.getTaskPushNotificationConfig(named)).rejects.toThrow(/not found/);
    await expect(
      caller.createTaskPushNotificationConfig(config("file:///etc/passwd", { taskId: task.id })),
    ).rejects.toThrow(/http or https/);
    await caller.deleteTaskPushNotificationConfig(named);
    await caller.deleteTaskPushNotificationConfig(named);
    expect(await list()).toEqual([]);
    await expect(caller.getTaskPushNotificationConfig(named)).rejects.toThrow(/not found/);
    const rows = JSON.stringify(await app.sql("select * from a2a_push_config"));
    expect(rows).not.toContain("shared secret");
  },
);

test("a webhook that is gone receives nothing more", async () => {
  const caller = await client("JSONRPC");
  status = 410;
  const task = await sendFor(caller, "Pay", {}, { taskPushNotificationConfig: config(receiver) });
  await until(
    () => of(task.id),
    (found) => found.length > 0,
  );
  const configs = () =>
    caller.listTaskPushNotificationConfig({ tenant: "", taskId: task.id, pageSize: 0, pageToken: "" });
  await until(configs, (found) => found.configs.length === 0);
});
