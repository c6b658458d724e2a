import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine, Idempotency, Started } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { Deliveries, NewDelivery } from "./deliveries.ts";
import type { EndpointStore } from "../endpoints/endpoint.ts";
import { idempotencyOf, keyedBy } from "../endpoints/idempotency.ts";
import { knownDeliveryId, type RequestHeaders } from "./signatures.ts";
import { struckHeaders } from "./redact-headers.ts";
import type { Admission, Knock } from "./webhook-admission.ts";
import type { WebhookRecord } from "./webhook-store.ts";

export interface WebhookIntakeDeps {
  admission: Admission;
  workflows: Pick<EndpointStore, "runnable">;
  engine: Pick<Engine, "start">;
  deliveries: Pick<Deliveries, "note">;
  /** The guarded JSON reader of the HTTP edge; throws `invalid_json`. */
  parseJson: (bytes: Buffer) => unknown;
  clock: Clock;
  /** Told when a delivery could not be noted. The task stands, so its sender is answered all the same. */
  onNoteError: (error: unknown) => void;
}

export interface Call {
  headers: RequestHeaders;
  /** Undefined when the request had no body at all. */
  rawBody: Buffer | undefined;
}

export type WebhookIntake = ReturnType<typeof createWebhookIntake>;

export function createWebhookIntake(deps: WebhookIntakeDeps) {
  const { admission, workflows, engine, deliveries, parseJson, clock, onNoteError } = deps;

  return {
    knock: admission.knock,

    async receive(knock: Knock, { headers, rawBody = Buffer.alloc(0) }: Call): Promise<{ taskId: string }> {
      const verified = admission.verify(knock, headers, rawBody, clock.now());
      if (!verified.ok) {
        // Owners share a source: of a call that nobody has proved to be his, none gets to see anything.
        const unread = { headers: {}, body: null, taskId: null, status: "rejected" as const };
        for (const { webhook, reason } of verified.refusedBy)
          await note({ ...unread, webhookId: webhook.id, reason });
        throw verified.error;
      }
      const { webhook } = verified;
      const seen = {
        webhookId: webhook.id,
        headers: struckHeaders(headers, knock.secret, webhook.signature?.header),
      };
      let body: string | null = null;
      try {
        const input = readBody(rawBody);
        body = rawBody.toString("utf8");
        const idempotency = idempotencyFor(webhook, verified.deliveryId, headers, input);
        const { taskId, existing } = await start(webhook, input, idempotency);
        await note({ ...seen, body, taskId, status: "accepted", reason: existing ? "duplicate" : null });
        return { taskId };
      } catch (error) {
        const reason = error instanceof AppError ? error.code : "internal_error";
        await note({ ...seen, body, taskId: null, status: "rejected", reason });
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
    const workflow = await workflows.runnable(webhook.workflowId, webhook.ownerId);
    if (workflow === undefined) throw notFound("workflow");
    return engine.start({ workflow, trigger: "webhook", input, idempotency });
  }

  async function note(delivery: NewDelivery): Promise<void> {
    try {
      await deliveries.note(delivery);
    } catch (error) {
      onNoteError(error);
    }
  }
}

/** The header that the sender chose for this, else the vendor's own id of the delivery. */
function idempotencyFor(
  webhook: WebhookRecord,
  verifiedId: string | undefined,
  headers: RequestHeaders,
  input: JsonValue,
): Idempotency | undefined {
  const scope = `webhook:${webhook.ownerId}:${webhook.id}`;
  const chosen = idempotencyOf(headers["idempotency-key"], scope, input);
  if (chosen !== undefined) return chosen;
  const deliveryId = verifiedId ?? knownDeliveryId(headers, input);
  return deliveryId === undefined ? undefined : keyedBy(deliveryId, `${scope}:delivery`, input);
}
