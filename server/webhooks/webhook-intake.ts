import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine, Started } from "../engine/engine-api.ts";
import type { Idempotency } from "../engine/tasks/task.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { Deliveries, NewDelivery } from "./deliveries.ts";
import type { RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { readIdempotencyKey, toIdempotency } from "../endpoints/idempotency.ts";
import { knownDeliveryId, type RequestHeaders } from "./signatures.ts";
import { redactHeaders } from "./redact-headers.ts";
import type { Candidates, WebhookAuthorization } from "./webhook-authorization.ts";
import type { WebhookRecord } from "./webhook.sql.ts";

export interface WebhookIntakeDeps {
  authorization: WebhookAuthorization;
  workflows: Pick<RunnableWorkflows, "findCurrent">;
  engine: Pick<Engine, "start">;
  deliveries: Pick<Deliveries, "record">;
  /** Throws `invalid_json`. */
  parseJson: (bytes: Buffer) => unknown;
  clock: Clock;
  /** Called when a delivery could not be recorded. The task exists, so the sender still gets a success. */
  onRecordError: (error: unknown) => void;
}

export interface WebhookCall {
  headers: RequestHeaders;
  /** Undefined when the request had no body. */
  rawBody: Buffer | undefined;
}

export type WebhookIntake = ReturnType<typeof createWebhookIntake>;

export function createWebhookIntake(deps: WebhookIntakeDeps) {
  const { authorization, workflows, engine, deliveries, parseJson, clock, onRecordError } = deps;

  return {
    preauthorize: authorization.preauthorize,

    async receive(
      candidates: Candidates,
      { headers, rawBody = Buffer.alloc(0) }: WebhookCall,
    ): Promise<{ taskId: string }> {
      const authorized = authorization.authorize(candidates, headers, rawBody, clock.now());
      if (!authorized.ok) {
        // Owners share a source: none of them may see the headers or body of a call not proven to be theirs.
        const unseen = { headers: {}, body: null, taskId: null, status: "rejected" as const };
        for (const { webhook, reason } of authorized.rejectedBy)
          await record({ ...unseen, webhookId: webhook.id, reason });
        throw authorized.error;
      }
      const { webhook } = authorized;
      const seen = {
        webhookId: webhook.id,
        headers: redactHeaders(headers, candidates.secret, webhook.signature?.header),
      };
      let body: string | null = null;
      try {
        const input = readBody(rawBody);
        body = rawBody.toString("utf8");
        const idempotency = idempotencyFor(webhook, authorized.deliveryId, headers, input);
        const { taskId, existing } = await start(webhook, input, idempotency);
        await record({ ...seen, body, taskId, status: "accepted", reason: existing ? "duplicate" : null });
        return { taskId };
      } catch (error) {
        const reason = error instanceof AppError ? error.code : "internal_error";
        await record({ ...seen, body, taskId: null, status: "rejected", reason });
        throw error;
      }
    },
  };

  function readBody(rawBody: Buffer): JsonValue {
    const input = parseJson(rawBody);
    if (input === undefined) throw new AppError("invalid_json", "The body is not valid JSON.");
    return input as JsonValue;
  }

  async function start(
    webhook: WebhookRecord,
    input: JsonValue,
    idempotency: Idempotency | undefined,
  ): Promise<Started> {
    const workflow = await workflows.findCurrent(webhook.workflowId, webhook.ownerId);
    if (workflow === undefined) throw notFound("workflow");
    return engine.start({ workflow, trigger: "webhook", input, idempotency });
  }

  async function record(delivery: NewDelivery): Promise<void> {
    try {
      await deliveries.record(delivery);
    } catch (error) {
      onRecordError(error);
    }
  }
}

/** The sender's Idempotency-Key takes precedence over the vendor's delivery id. */
function idempotencyFor(
  webhook: WebhookRecord,
  verifiedId: string | undefined,
  headers: RequestHeaders,
  input: JsonValue,
): Idempotency | undefined {
  const scope = `webhook:${webhook.ownerId}:${webhook.id}`;
  const explicit = readIdempotencyKey(headers["idempotency-key"], scope, input);
  if (explicit !== undefined) return explicit;
  const deliveryId = verifiedId ?? knownDeliveryId(headers, input);
  return deliveryId === undefined ? undefined : toIdempotency(deliveryId, `${scope}:delivery`, input);
}
