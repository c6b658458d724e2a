import type { App, AppAction, AppRead, AppValues } from "../../apps/define-app.ts";
import { limitField } from "../../contract/apps.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepOutput } from "../engine/run/step-runner.ts";
import { redactResult } from "../security/redact-result.ts";
import { visibleHeaders } from "../steps/http-response.ts";
import type { AppAnswer, AppCall, AppClient } from "./app-client.ts";
import { inputFieldsOf, readInput } from "./app-input.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { readPages } from "./read-pages.ts";
import { type AppScope, fill } from "./template.ts";

export interface ActionCall {
  app: App;
  action: AppAction;
  use: ConnectionUse;
  input: JsonValue | undefined;
  call: AppCall;
  timeoutMs: number;
}

/** Runs one action: checks the input, sends the request or one for each page, and maps the answer. */
export async function runAction(client: AppClient, given: ActionCall): Promise<StepOutput> {
  const { app, action, use, call, timeoutMs } = given;
  const input = readInput(inputFieldsOf(action), given.input);
  const { idempotencyHeader } = action;
  const session = client.open({ app, use, call, timeoutMs, idempotencyHeader });
  const scope = scopeOf(action, use, input);
  return redactResult(use.secrets, async () => {
    if (action.items === undefined) {
      const answer = await client.send(session, action.request, scope);
      const body = action.parse === undefined ? answer.body : action.parse(answer.body, scope);
      return { output: outputOf(action, { ...scope, ...answer, body }, body), extra: extraOf(answer) };
    }
    const limit = Number(input["limit"] ?? limitField.default);
    const { items, answer } = await readPages(client, session, action, scope, limit);
    const output = items.map((item, index) => outputOf(action, { ...scope, item, index }, item));
    return { output, extra: extraOf(answer) };
  });
}

export function scopeOf(
  read: Pick<AppRead, "prepare">,
  use: ConnectionUse,
  input: Record<string, JsonValue>,
): AppScope & AppValues {
  const values: AppValues = { input, connection: connectionValues(use) };
  return read.prepare === undefined ? { ...values } : { ...values, prepared: read.prepare(values) };
}

/** What `{{connection.…}}` reads: the fields of the connection and the user name of a `basic` one. */
export function connectionValues({ fields, settings }: ConnectionUse): Record<string, string> {
  const { username } = settings;
  return { ...(typeof username === "string" && { username }), ...fields };
}

export function outputOf({ output }: Pick<AppRead, "output">, scope: AppScope, whole: JsonValue): JsonValue {
  return output === undefined ? whole : (fill(output, scope) ?? null);
}

function extraOf({ status, headers }: AppAnswer): {
  response: { status: number; headers: Record<string, string> };
} {
  return { response: { status, headers: visibleHeaders(headers) } };
}
