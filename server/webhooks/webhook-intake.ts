import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import type { Engine, Started } from "../engine/engine-api.ts";
import type { Idempotency } from "../engine/tasks/task.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Deliveries, NewDelivery } from "./deliveries.ts";
import type { Refusals } from "./refusals.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { CurrentWorkflow, RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { workflowPaused } from "../workflows/paused.ts";
import { readIdempotencyKey, toIdempotency } from "../endpoints/idempotency.ts";
import { readJsonInput } from "./json-input.ts";
import type { ChallengeResponse } from "./challenge.ts";
import type { ReceivedEvent } from "./cloud-event.ts";
import { knownDeliveryId } from "./delivery-ids.ts";
import { receivedRequest, single } from "./signature-check.ts";
import type { SignedCall } from "./signatures.ts";
import { isForm, parseForm } from "./form-body.ts";
import { redactRequest, type RequestHeaders } from "../security/redact-request.ts";
import type { Candidates, WebhookAuthorization } from "./webhook-authorization.ts";
import { createWebhookFiles, isBinary } from "./webhook-files.ts";
import { webhookTrigger } from "./webhook-input.ts";
import type { WebhookRecord } from "./webhook.sql.ts";

export interface WebhookIntakeDeps {
  authorization: WebhookAuthorization;
  workflows: Pick<RunnableWorkflows, "findCurrent">;
  engine: Pick<Engine, "start">;
  deliveries: Pick<Deliveries, "record" | "countStored">;
  runFiles: Pick<RunFiles, "create">;
  /** Throws `invalid_json`. */
  parseJson: (bytes: Buffer) => Promise<unknown>;
  clock: Clock;
  /** Called when a delivery could not be recorded. The task exists, so the sender still gets a success. */
  onRecordError: (error: unknown) => void;
  refusals: Pick<Refusals, "unauthorized" | "unverified" | "wronglySigned">;
}

export interface WebhookCall {
  method: string;
  /** The public one, with the query: some signatures cover it. */
  url: string;
  headers: RequestHeaders;
  query: Record<string, unknown>;
  /** Undefined when the request had no body. */
  rawBody: Buffer | undefined;
}

export type Received =
  | { answer: ChallengeResponse }
  | { taskId: string; /** The response waits for the run. */ customResponse: boolean };

export type WebhookIntake = ReturnType<typeof createWebhookIntake>;

export function createWebhookIntake(deps: WebhookIntakeDeps) {
  const { authorization, workflows, engine, deliveries, refusals, parseJson, clock, onRecordError } = deps;

  return {
    async preauthorize(
      ...call: Parameters<WebhookAuthorization["preauthorize"]>
    ): ReturnType<WebhookAuthorization["preauthorize"]> {
      try {
        return await authorization.preauthorize(...call);
      } catch (error) {
        const [address, secret, { method }] = call;
        if (error instanceof AppError) await refusals.unauthorized(address, secret, method, error.code);
        throw error;
      }
    },

    async receive(candidates: Candidates, call: WebhookCall): Promise<Received> {
      const { method, url, headers, rawBody = Buffer.alloc(0) } = call;
      const received = receivedRequest({ method, url, headers, body: rawBody });
      const authorized = await authorization.authorize(candidates, received, clock.now());
      if (!authorized.ok) {
        const { rejectedBy } = authorized;
        if (rejectedBy.length === 0) await refusals.unverified(candidates, method, "missing_signature");
        for (const { webhook, reason } of rejectedBy) await refusals.wronglySigned(webhook, method, reason);
        throw authorized.error;
      }
      const { webhook } = authorized;
      const request = redactRequest(call, candidates.secret, webhook.signature?.header);
      const seen = { webhookId: webhook.id, ...request };
      let body: string | null = null;
      try {
        const contentType = headers["content-type"];
        const files = createWebhookFiles(deps.runFiles, webhook.ownerId);
        const form = isForm(contentType)
          ? await parseForm(contentType, rawBody, files.save)
          : isBinary(contentType)
            ? { file: await files.saveBody(contentType, rawBody) }
            : undefined;
        const fields = call.method === "GET" ? request.query : form;
        const input = fields ?? (await readJsonInput(single(contentType), rawBody, parseJson));
        body = fields === undefined ? rawBody.toString("utf8") : JSON.stringify(fields);
        const answer =
          authorized.signed === undefined ? undefined : authorization.answerChallenge(webhook, input);
        if (answer !== undefined) {
          await record({ ...seen, body, taskId: null, status: "accepted", reason: "challenge" });
          return { answer };
        }
        const workflow =
          candidates.workflow ?? (await workflows.findCurrent(webhook.workflowId, webhook.ownerId));
        const { taskId, existing } = await start(webhook, workflow, input, request, {
          signed: authorized.signed,
          headers,
          fingerprint: files.fingerprint(input),
          body,
        });
        const stored = { ...seen, body, status: "accepted" as const };
        if (existing) await record({ ...stored, taskId, reason: "duplicate" });
        else await deliveries.countStored(stored)?.catch(onRecordError);
        return { taskId, customResponse: webhook.customResponse };
      } catch (error) {
        const reason = error instanceof AppError ? error.code : "internal_error";
        await record({ ...seen, body, taskId: null, status: "rejected", reason });
        throw error;
      }
    },
  };

  async function start(
    webhook: WebhookRecord,
    workflow: CurrentWorkflow | undefined,
    received: JsonValue,
    request: TriggerRequest,
    {
      signed,
      headers,
      fingerprint,
      body,
    }: { signed: SignedCall | undefined; headers: RequestHeaders; fingerprint: JsonValue; body: string },
  ): Promise<Started> {
    if (workflow === undefined) throw notFound("workflow");
    // Recorded as rejected with its body, so that it can be delivered again.
    if (!workflow.isActive) throw workflowPaused();
    const trigger = webhookTrigger(workflow, request, received);
    const now = clock.now();
    return engine.start({
      workflow,
      trigger: "webhook",
      input: trigger.input,
      request: trigger.request,
      idempotency: await idempotencyFor(webhook, signed, headers, fingerprint, trigger.event),
      delivery: {
        id: createId("dlv", now),
        webhookId: webhook.id,
        method: request.method,
        headers: request.headers,
        query: request.query,
        body,
        createdAt: now,
      },
    });
  }

  async function record(delivery: NewDelivery): Promise<void> {
    try {
      await deliveries.record(delivery);
    } catch (error) {
      onRecordError(error);
    }
  }
}

/**
 * A signed call is identified by the vendor's delivery id, else by its signature while that is valid: an attacker
 * who replays the call can add any `Idempotency-Key`. Vendors resend an event with a changed body, so the id alone counts.
 */
async function idempotencyFor(
  webhook: WebhookRecord,
  signed: SignedCall | undefined,
  headers: RequestHeaders,
  input: JsonValue,
  event: ReceivedEvent | undefined,
): Promise<Idempotency | undefined> {
  const scope = `webhook:${webhook.ownerId}:${webhook.id}`;
  if (signed?.deliveryId !== undefined)
    return { ...(await toIdempotency(signed.deliveryId, `${scope}:delivery`, input)), matchesAnyBody: true };
  if (signed?.signature !== undefined)
    return { ...(await toIdempotency(signed.signature, `${scope}:signature`, input)), matchesAnyBody: true };
  const explicit = await readIdempotencyKey(headers["idempotency-key"], scope, input);
  if (explicit !== undefined) return explicit;
  if (event !== undefined)
    return { ...(await toIdempotency(event.key, `${scope}:event`, input)), matchesAnyBody: true };
  const deliveryId = knownDeliveryId(headers, input);
  return deliveryId === undefined ? undefined : toIdempotency(deliveryId, `${scope}:delivery`, input);
}
