import { beforeEach, expect, test } from "vitest";
import { echoGraph } from "./support/endpoints.ts";
import { startService } from "./support/service-process.ts";
import { useTemporaryFolder } from "./support/test-app.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await useTemporaryFolder();
});

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  // oxlint-disable-next-line no-explicit-any
  return { status: response.status, body: (await response.json()) as any };
}

/** A service with one asynchronous endpoint without authentication and one webhook on it. */
async function prepare(base: string) {
  const account = { email: "ada@example.com", password: "long enough" };
  const { token } = (await post(`${base}/api/auth/register`, account)).body;
  const login = { authorization: `Bearer ${token}` };
  const apiSettings = { enabled: true, sync: false, authentication: false, endpointName: "echo" };
  const made = await post(`${base}/api/workflows`, { name: "Echo", metadata: echoGraph, apiSettings }, login);
  const workflowId: string = made.body.workflow.id;
  const hook = await post(`${base}/api/webhooks`, { name: "Hook", source: "shop", workflowId }, login);
  return { login, secret: hook.body.webhook.secret as string };
}

test("[R2] every task acknowledged with 200 survives a kill -9, and a repeated call creates no second one", async () => {
  const settings = { DATA_DIR: dataDir, RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" };
  const first = startService(settings);
  let base = await first.ready();
  const { login, secret } = await prepare(base);
  const accepted = new Map<string, string>();
  const call = (key: string) => {
    const [kind, n] = key.split(" ");
    return kind === "public"
      ? post(
          `${base}/api/workflows/public/echo`,
          { input: { n } },
          { "idempotency-key": key.replace(" ", "-") },
        )
      : post(`${base}/webhook/shop`, { n }, { "x-webhook-secret": secret, "x-github-delivery": `d-${n}` });
  };
  // The kill falls between calls that are answered, calls that are being stored and calls that wait.
  const calls = Array.from({ length: 60 }, (_, n) => `${n % 2 === 0 ? "public" : "webhook"} ${n}`).map(
    async (key) => {
      try {
        const { status, body } = await call(key);
        if (status === 200) accepted.set(key, body.taskId);
        if (accepted.size === 20) first.child.kill("SIGKILL");
      } catch {
        // Interrupted by the kill: the call was not acknowledged.
      }
    },
  );
  await Promise.all(calls);
  first.child.kill("SIGKILL");
  await first.exit();
  expect(accepted.size).toBeGreaterThanOrEqual(20);

  base = await startService(settings).ready();
  for (const [key, taskId] of accepted) {
    const task = await fetch(`${base}/api/tasks/${taskId}`, { headers: login });
    expect(task.status).toBe(200);
    expect((await call(key)).body.taskId).toBe(taskId);
  }
});

test("[S17] the log contains neither keys nor secrets, however they were sent", async () => {
  const service = startService({ DATA_DIR: dataDir, LOG_LEVEL: "trace" });
  const base = await service.ready();
  const { login, secret } = await prepare(base);
  const { rawKey } = (await post(`${base}/api/keys`, {}, login)).body;
  await post(`${base}/api/workflows/public/echo`, {}, { authorization: `Bearer ${rawKey}` });
  await post(`${base}/webhook/shop?secret=${secret}`, { n: 1 });
  await post(`${base}/webhook/shop/nowhere?secret=${secret}`, { n: 1 });
  await post(`${base}/webhook/shop`, { n: 1 }, { "x-webhook-secret": secret });
  await post(`${base}/webhook/shop?secret=${secret}x`, { n: 1 });
  await service.stop();
  expect(service.log().some((line) => String(line["url"]).startsWith("/webhook/shop"))).toBe(true);
  for (const text of [secret, rawKey, login.authorization]) expect(service.output()).not.toContain(text);
});
