import { expect } from "vitest";
import type { ApiResponse } from "./client.ts";
import { publish } from "./endpoints.ts";
import { shareApp } from "./shared-app.ts";
import type { RegisteredUser, TestApp } from "./test-app.ts";

export interface Webhooks {
  app: TestApp;
  alice: RegisteredUser;
  bob: RegisteredUser;
  /** Alice's workflow, which returns its input. */
  workflowId: string;
  /** With a unique source by default. */
  makeWebhook(more?: Record<string, unknown>, owner?: RegisteredUser): Promise<any>;
  send(
    source: string,
    secret: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  /** One of Alice's tasks. */
  taskOf(taskId: string): Promise<any>;
  /** The deliveries of Alice's webhook, newest first. */
  deliveriesOf(webhookId: string): Promise<any[]>;
}

/** For all tests of a file: an app without a rate limit, two users and a workflow for webhooks. */
export async function shareWebhooks(settings: Record<string, string> = {}): Promise<Webhooks> {
  const { app, alice, bob } = await shareApp(["alice", "bob"], {
    RATE_LIMIT_WEBHOOK_PER_MINUTE: "0",
    ...settings,
  });
  const workflowId: string = (await publish(alice, { enabled: false })).id;
  let made = 0;
  return {
    app,
    alice,
    bob,
    workflowId,
    async makeWebhook(more = {}, owner = alice) {
      const webhook = { name: "Orders", source: `source-${++made}`, workflowId, ...more };
      const response = await owner.post("/api/webhooks", webhook);
      expect(response.status).toBe(201);
      return response.body.webhook;
    },
    send: (source, secret, body = { n: 1 }, headers = {}) =>
      app.anonymous.post(`/webhook/${source}`, body, { "x-webhook-secret": secret, ...headers }),
    taskOf: async (taskId) => (await alice.get(`/api/tasks/${taskId}`)).body.task,
    deliveriesOf: async (id) => (await alice.get(`/api/webhooks/${id}/deliveries?limit=200`)).body.deliveries,
  };
}
