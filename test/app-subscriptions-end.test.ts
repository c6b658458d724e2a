import { expect, test } from "vitest";
import { exampleApp } from "../server/apps/testing/scripted-vendor.ts";
import { save, serve } from "../server/engine/testing/workbench.ts";
import { transformStep } from "./support/graphs.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

test("deleting an account ends the subscriptions of its triggers at the other service", async () => {
  const requests: string[] = [];
  const vendor = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end('{"id":"sub-1"}');
  });
  const example = exampleApp({
    baseUrl: vendor.url,
    hosts: [new URL(vendor.url).host],
    triggers: {
      event: {
        title: "Event",
        description: "Something happened.",
        input: {},
        sample: {},
        webhook: {
          subscribe: {
            method: "POST",
            path: "/hooks",
            body: { url: "{{webhook.url}}", secret: "{{webhook.secret}}" },
          },
          id: "{{body.id}}",
          unsubscribe: { method: "DELETE", path: "/hooks/{{subscription.id}}" },
          scheme: "github",
        },
      },
    },
  });
  const app = await useTestApp(
    { EGRESS_ALLOW: "127.0.0.1", PUBLIC_URL: "https://baton.example.com" },
    { apps: [example] },
  );
  const ada = await registerUser(app, "ada");
  const given = { name: "Example", kind: "bearer", app: "example", secrets: { token: "hush-hush" } };
  const { connection } = (await ada.post("/api/connections", given)).body;
  const workflowId = await save(ada, [transformStep("echo", "{{input}}")]);
  const settings = { app: "example", trigger: "event", connection: connection.id, input: {} };
  const created = await ada.post("/api/triggers", { kind: "app", workflowId, settings });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  await expect.poll(() => requests, { timeout: 20_000 }).toContain("POST /hooks");
  // Its id is stored before the account goes.
  await expect
    .poll(async () => String((await app.sql("select position from triggers"))[0]?.["position"]), {
      timeout: 20_000,
    })
    .toContain("sub-1");

  const removed = await ada.call("/api/auth/me", { method: "DELETE", body: { password: ada.password } });
  expect(removed.status).toBe(200);
  await expect.poll(() => requests, { timeout: 20_000 }).toContain("DELETE /hooks/sub-1");
  await expect.poll(() => app.sql("select id from triggers"), { timeout: 20_000 }).toEqual([]);
});
