import { expect } from "vitest";
import type { Answer } from "./client.ts";
import { publish } from "./endpoints.ts";
import { shareApp } from "./shared-app.ts";
import type { RegisteredUser, TestApp } from "./test-app.ts";

export interface Webhooks {
  app: TestApp;
  alice: RegisteredUser;
  bob: RegisteredUser;
  /** Alice's, which gives back its input. */
  workflowId: string;
  /** With a source of its own, unless `more` says otherwise. */
  makeWebhook(more?: Record<string, unknown>, owner?: RegisteredUser): Promise<any>;
  send(source: string, secret: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Of Alice's task. */
  taskOf(taskId: string): Promise<any>;
  /** Of Alice's webhook, newest first. */
  deliveriesOf(webhookId: string): Promise<any[]>;
}

/** For all tests of a file: a service without a limit of calls, two users, and a workflow for webhooks. */
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
      const answer = await owner.post("/api/webhooks", webhook);
      expect(answer.status).toBe(201);
      return answer.body.webhook;
    },
    send: (source, secret, body = { n: 1 }, headers = {}) =>
      app.anonymous.post(`/webhook/${source}`, body, { "x-webhook-secret": secret, ...headers }),
    taskOf: async (taskId) => (await alice.get(`/api/tasks/${taskId}`)).body.task,
    deliveriesOf: async (id) => (await alice.get(`/api/webhooks/${id}/deliveries?limit=200`)).body.deliveries,
  };
}
