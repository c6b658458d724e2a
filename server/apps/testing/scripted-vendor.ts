import type { App } from "../../../apps/define-app.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import { noRunFiles } from "../../run-files/testing/open-run-files.ts";
import type { GuardedInit } from "../../security/guarded-fetch.ts";
import { AppError } from "../../lib/errors.ts";
import { createAppClient } from "../app-client.ts";
import type { ConnectionUse } from "../../connections/connection-use.ts";

export interface SentRequest {
  url: string;
  init: GuardedInit;
}

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: JsonValue;
}

/** A vendor that gives these answers one after the other. */
export function scriptedVendor(answers: ScriptedAnswer[], connection: Partial<ConnectionUse> = {}) {
  const sent: SentRequest[] = [];
  let renewals = 0;
  const use = {
    id: "conn_1",
    app: "example",
    fields: {},
    settings: {},
    secrets: () => ["top-secret-token"],
    renew: () => Promise.resolve(++renewals === 1),
    refused: (target: string) => new AppError("http_error", `${target} refused the credential.`),
    ...connection,
  } as unknown as ConnectionUse;
  const client = createAppClient({
    limits: limitsOf(),
    runFiles: noRunFiles,
    clock: { now: () => 1_000_000 },
    fetch: (_use, url, init) => {
      sent.push({ url: url.href, init });
      const { status = 200, headers = {}, body = null } = answers[sent.length - 1] ?? {};
      return Promise.resolve({
        status,
        headers: { "content-type": "application/json", ...headers },
        body: Buffer.from(JSON.stringify(body)),
        url: url.href,
      });
    },
  });
  return { client, use, sent, renewals: () => renewals };
}

/** An app with one action, or with what a test changes. */
export function exampleApp(changes: Partial<App> = {}): App {
  return {
    id: "example",
    title: "Example",
    description: "For tests.",
    category: "other",
    icon: { letters: "Ex", color: "#000000" },
    documentation: "https://example.com/docs",
    baseUrl: "https://api.example.com/v1",
    hosts: ["api.example.com"],
    auth: [{ kind: "bearer" }],
    test: { request: { path: "/me" }, account: "{{body.name}}" },
    actions: {},
    ...changes,
  };
}

/** For sources whose answers are small. */
export const unlimitedValues = {
  hold: () => ({ take: () => Promise.resolve(), release: () => undefined }),
};

export const exampleCall = {
  ownerId: "user_1",
  taskId: "task_1",
  idempotencyKey: "task_1:step",
  answeredFailures: 0,
  stop: new AbortController().signal,
};
