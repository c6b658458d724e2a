import type { App } from "../../apps/define-app.ts";
import type { AppClient } from "./app-client.ts";
import type { ConnectionUse } from "../connections/connection-use.ts";
import { connectionValues } from "./run-action.ts";
import { fillText } from "./template.ts";

const TIMEOUT_MS = 15_000;

/** Calls the vendor with the credential; throws when it is refused. */
export async function testApp(
  client: AppClient,
  app: App,
  use: ConnectionUse,
  signal: AbortSignal,
): Promise<{ account: string | null }> {
  const call = { ownerId: "", taskId: "", idempotencyKey: "test", answeredFailures: 0, stop: signal };
  const session = client.open({ app, use, call, timeoutMs: TIMEOUT_MS });
  const scope = { input: {}, connection: connectionValues(use) };
  const answer = await client.send(session, app.test.request, scope);
  const account = app.test.account === undefined ? "" : fillText(app.test.account, { ...scope, ...answer });
  return { account: account.trim() === "" ? null : account.trim().slice(0, 200) };
}
