import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { hashKey } from "../security/api-keys.ts";
import type { SecretBox } from "../security/secret-box.ts";
import {
  bodyChallengeResponse,
  type ChallengeResponse,
  type UrlCheck,
  urlChallengeResponse,
} from "./challenge.ts";
import type { ReceivedRequest } from "./signature-check.ts";
import { coversUrl, type SignatureResult, type SignedCall, verifySignature } from "./signatures.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import type { Address, CalledWebhook, WebhookRecord, WebhookStore } from "./webhook.sql.ts";
import { openSignature } from "./webhooks.ts";

export interface WebhookAuthorizationDeps {
  store: WebhookStore;
  box: SecretBox;
}

/** Known before the body is read: the webhook that owns the secret, or every webhook whose signature may match. */
export interface Candidates {
  secret: string | undefined;
  webhooks: WebhookRecord[];
  /** The workflow of the only webhook, if both were read together. */
  workflow: CurrentWorkflow | undefined;
}

/** Each of up to 200 webhooks reads the whole body: other requests are answered in between. */
const BYTES_PER_TURN = 4 * 1024 * 1024;

type Found = Pick<Candidates, "webhooks" | "workflow">;

export type Authorization =
  | { ok: true; webhook: WebhookRecord; signed: SignedCall | undefined }
  | { ok: false; error: AppError; rejectedBy: { webhook: WebhookRecord; reason: string }[] };

export type WebhookAuthorization = ReturnType<typeof createWebhookAuthorization>;

export function createWebhookAuthorization({ store, box }: WebhookAuthorizationDeps) {
  return {
    /**
     * Rejects an unauthorized call before its body is read, unless a signature over the body may still authorize it.
     * A vendor's check of the URL is answered here: some have a body that no other call may have.
     */
    async preauthorize(
      address: Address,
      secret: string | undefined,
      check: UrlCheck,
    ): Promise<Candidates | { answer: ChallengeResponse }> {
      const { webhooks, workflow } =
        secret === undefined ? await listSigned(address) : await requireBySecret(address, secret);
      const answer = urlChallengeResponse(webhooks, check, (webhook) => openSignature(webhook, box)!.secret);
      if (answer !== undefined) return { answer };
      if (secret !== undefined) return { secret, webhooks, workflow };
      // Most signatures cover the body only. A GET request has none, so anyone who saw a signed one could change its query.
      const candidates =
        check.method === "GET"
          ? webhooks.filter(({ signature }) => signature !== null && coversUrl(signature.scheme))
          : webhooks;
      if (candidates.length === 0) throw missingSecret();
      return { secret, webhooks: candidates, workflow };
    },

    /** Call only for a webhook whose signature was verified. */
    answerChallenge(webhook: WebhookRecord, input: JsonValue): ChallengeResponse | undefined {
      const settings = openSignature(webhook, box);
      return settings && bodyChallengeResponse(settings, input);
    },

    /** Several owners may use one source: the secret behind the signature identifies the webhook. */
    async authorize(
      { secret, webhooks }: Candidates,
      request: ReceivedRequest,
      nowMs: number,
    ): Promise<Authorization> {
      const rejectedBy: { webhook: WebhookRecord; reason: string }[] = [];
      let bytes = 0;
      for (const webhook of webhooks) {
        bytes += request.body.length;
        if (bytes > BYTES_PER_TURN) {
          await nextTurn();
          bytes = 0;
        }
        const result = checkSignature(webhook, request, nowMs);
        if (result?.ok) return { ok: true, webhook, signed: result };
        // The secret alone is sufficient, but a wrong signature means that the body was tampered with.
        const isUnsigned = result === undefined || result.reason === "missing";
        if (secret !== undefined && isUnsigned) return { ok: true, webhook, signed: undefined };
        if (!isUnsigned) rejectedBy.push({ webhook, reason: `${result.reason}_signature` });
      }
      return { ok: false, error: rejectedBy.length === 0 ? missingSecret() : invalidSignature(), rejectedBy };
    },
  };

  async function requireBySecret(address: Address, secret: string): Promise<Found> {
    const called = await findBySecret(address, hashKey(secret));
    if (called !== undefined) return { webhooks: [called.webhook], workflow: called.workflow };
    throw new AppError(
      "invalid_secret",
      "No active webhook has this address and secret. Check the URL and the secret.",
    );
  }

  async function findBySecret(address: Address, secretHash: string): Promise<CalledWebhook | undefined> {
    if ("source" in address) return store.findBySecret(address.source, secretHash);
    const called = await store.findActive(address.webhookId);
    // Both are SHA-256 hashes: comparing them reveals nothing about the secret.
    return called?.webhook.secretHash === secretHash ? called : undefined;
  }

  async function listSigned(address: Address): Promise<Found> {
    if ("source" in address) return { webhooks: await store.listSigned(address.source), workflow: undefined };
    const called = await store.findActive(address.webhookId);
    const isSigned = called !== undefined && called.webhook.signature !== null;
    return isSigned
      ? { webhooks: [called.webhook], workflow: called.workflow }
      : { webhooks: [], workflow: undefined };
  }

  function checkSignature(
    webhook: WebhookRecord,
    request: ReceivedRequest,
    nowMs: number,
  ): SignatureResult | undefined {
    const settings = openSignature(webhook, box);
    return settings && verifySignature(settings, request, nowMs);
  }
}

function missingSecret(): AppError {
  return new AppError(
    "missing_secret",
    "The webhook secret is missing. Send it in the x-webhook-secret header or as ?secret=.",
  );
}

function invalidSignature(): AppError {
  return new AppError("invalid_signature", "The signature does not match the request or is too old.");
}
