import { createHash } from "node:crypto";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isStoreKey, MAX_STORE_EXPIRY_MS, STORE_KEY_RULE, WORKSPACE_SCOPE } from "../../contract/store.ts";
import { storeActions } from "../../contract/steps/store.ts";
import { asNumber } from "../../contract/compare.ts";
import type { StepCall, StepRunner } from "../engine/run/step-runner.ts";
import type { KeyValueStore } from "../store/key-value-store.ts";
import { describeValue, invalidField, requiredText } from "./step-failure.ts";

const MAX_LISTED = 1000;
const DEFAULT_LISTED = 100;

/** Keeps values between runs. Every write carries the idempotency key of the step, so that it happens once. */
export function createStoreRunner(store: KeyValueStore): StepRunner {
  return {
    async run(call) {
      return { output: await act(store, call) };
    },
  };
}

async function act(store: KeyValueStore, call: StepCall): Promise<JsonValue> {
  const { fields, ownerId } = call;
  const scope = scopeOf(call);
  if (fields["action"] === "list") return listValues(store, call, scope);
  const place = { ownerId, scope, key: await keyOf(call) };
  // Later runs would read a secret as an ordinary value.
  const value = await call.redact(fields["value"] ?? null);
  const step = { idempotencyKey: receiptIdOf(call, scope, value), taskId: call.taskId };
  const expiresInMs = numberIn(fields, "expiresInMs", 1, MAX_STORE_EXPIRY_MS);
  switch (fields["action"]) {
    case "get":
      return store.get(place);
    case "set":
      return store.set(place, value, expiresInMs, step);
    case "delete":
      return store.remove(place, step);
    case "increment":
      return store.increment(place, numberIn(fields, "amount") ?? 1, expiresInMs, step);
    case "compare_and_set":
      return store.compareAndSet(place, fields["expected"], value, expiresInMs, step);
    default:
      throw invalidField(
        "action",
        `must be one of ${storeActions.join(", ")}, not ${describeValue(fields["action"])}`,
      );
  }
}

/** The same for every attempt of a step; another one when a rerun on an edited workflow changes what it writes. */
function receiptIdOf({ idempotencyKey, fields }: StepCall, scope: string, value: JsonValue): string {
  const { action, key, amount = 1 } = fields;
  // A value may contain the time of the attempt. To set it twice is harmless, to compare twice is not.
  const digest = createHash("sha256").update(JSON.stringify(action === "set" ? value : null));
  return JSON.stringify([idempotencyKey, action, scope, key, amount, digest.digest("base64url")]);
}

async function listValues(
  store: KeyValueStore,
  { fields, ownerId }: StepCall,
  scope: string,
): Promise<JsonValue> {
  const { items, nextCursor } = await store.listScope(ownerId, scope, {
    prefix: textIn(fields, "prefix"),
    after: textIn(fields, "after"),
    limit: Math.floor(numberIn(fields, "limit", 1, MAX_LISTED) ?? DEFAULT_LISTED),
  });
  const shown = items.map(({ scope: _scope, ...item }) => item as unknown as JsonValue);
  return { items: shown, next: nextCursor };
}

function scopeOf({ fields, workflowId }: StepCall): string {
  const scope = fields["scope"] ?? "workflow";
  if (scope !== "workflow" && scope !== WORKSPACE_SCOPE)
    throw invalidField("scope", `must be workflow or ${WORKSPACE_SCOPE}, not ${describeValue(scope)}`);
  return scope === "workflow" ? workflowId : WORKSPACE_SCOPE;
}

async function keyOf({ fields, redact }: StepCall): Promise<string> {
  const key = requiredText(fields, "key");
  if ((await redact(key)) !== key)
    throw invalidField("key", "must not contain a secret, because keys are shown in lists");
  if (!isStoreKey(key)) throw invalidField("key", STORE_KEY_RULE);
  return key;
}

function textIn(fields: StepCall["fields"], field: string): string {
  return fields[field] === undefined || fields[field] === null ? "" : requiredText(fields, field);
}

function numberIn(
  fields: StepCall["fields"],
  field: string,
  min = -Number.MAX_VALUE,
  max = Number.MAX_VALUE,
): number | undefined {
  const value = fields[field];
  if (value === undefined || value === null) return undefined;
  const number = asNumber(value);
  if (number === undefined || !(number >= min && number <= max))
    throw invalidField(
      field,
      `must be a number${min > 0 ? ` from ${min} to ${max}` : ""}, not ${describeValue(value)}`,
    );
  return number;
}
