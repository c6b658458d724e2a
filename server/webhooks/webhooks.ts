import type { PageQuery } from "../../contract/api.ts";
import type { CreateWebhook, SignatureInput, UpdateWebhook, Webhook } from "../../contract/webhooks.ts";
import { type Clock, laterThan, toIso } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";
import { signatureContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { SignatureSettings } from "./signature-check.ts";
import type { SealedSignature, WebhookRecord, WebhookStore } from "./webhook.sql.ts";

export interface WebhooksDeps {
  store: WebhookStore;
  box: SecretBox;
  clock: Clock;
  /** Throws `workflow_not_found` or `forbidden`. */
  requireWorkflow: (ownerId: string, workflowId: string) => Promise<unknown>;
}

export interface WithSecret {
  webhook: WebhookRecord;
  /** Shown to the owner once; only its hash is stored. */
  secret: string;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks({ store, box, clock, requireWorkflow }: WebhooksDeps) {
  const sealed = (
    signature: SignatureInput | null | undefined,
    owner: Pick<WebhookRecord, "id" | "ownerId">,
  ): SealedSignature | null => {
    if (signature === null || signature === undefined) return null;
    const { scheme, secret, header = null, ...options } = signature;
    return { scheme, header, options, sealedSecret: box.seal(secret, signatureContext(owner)) };
  };

  async function update(ownerId: string, id: string, change: UpdateWebhook): Promise<WebhookRecord> {
    const current = await store.get(id, ownerId);
    if (change.workflowId !== undefined) await requireWorkflow(ownerId, change.workflowId);
    const webhook: WebhookRecord = {
      ...current,
      name: change.name ?? current.name,
      source: change.source ?? current.source,
      workflowId: change.workflowId ?? current.workflowId,
      metadata: change.metadata ?? current.metadata,
      signature: change.signature === undefined ? current.signature : sealed(change.signature, current),
      customResponse: change.customResponse ?? current.customResponse,
      active: change.active ?? current.active,
      updatedAt: laterThan(current.updatedAt, clock),
    };
    const outcome = await store.update(webhook, current.updatedAt);
    // A concurrent update won: apply this change to its result.
    if (outcome === "outdated") return update(ownerId, id, change);
    if (outcome === "source_taken") throw sourceTaken(webhook.source);
    return webhook;
  }

  return {
    update,

    async create(ownerId: string, given: CreateWebhook): Promise<WithSecret> {
      await requireWorkflow(ownerId, given.workflowId);
      const now = clock.now();
      const id = createId("wh", now);
      const secret = createSecret();
      const webhook: WebhookRecord = {
        id,
        ownerId,
        name: given.name,
        source: given.source,
        workflowId: given.workflowId,
        metadata: given.metadata ?? { events: [] },
        secretHash: hashKey(secret),
        signature: sealed(given.signature, { id, ownerId }),
        customResponse: given.customResponse ?? false,
        active: given.active ?? true,
        createdAt: now,
        updatedAt: now,
      };
      if (!(await store.insert(webhook))) throw sourceTaken(webhook.source);
      return { webhook, secret };
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),
    remove: (ownerId: string, id: string) => store.remove(id, ownerId, clock.now()),

    /** The old secret is rejected from the next delivery on. */
    async rotate(ownerId: string, id: string): Promise<WithSecret> {
      const secret = createSecret();
      return { webhook: await store.replaceSecret(id, ownerId, hashKey(secret), clock.now()), secret };
    },
  };
}

/** Decrypts the signature settings for one verification. */
export function openSignature(webhook: WebhookRecord, box: SecretBox): SignatureSettings | undefined {
  if (webhook.signature === null) return undefined;
  const { scheme, header, options, sealedSecret } = webhook.signature;
  return {
    ...options,
    scheme,
    header: header ?? undefined,
    secret: box.open(sealedSecret, signatureContext(webhook)),
  };
}

function sourceTaken(source: string): AppError {
  return new AppError(
    "source_taken",
    `You already have a webhook with the source ${source}, or it is reserved for 30 days for the account that used it. Choose another source.`,
  );
}

/** `base` is the public base URL of the service. */
export function toWebhook(record: WebhookRecord, base: string): Webhook {
  const { id, name, source, workflowId, metadata, signature, active } = record;
  return {
    id,
    name,
    source,
    workflowId,
    metadata,
    signature:
      signature === null
        ? null
        : {
            scheme: signature.scheme,
            ...(signature.header === null ? {} : { header: signature.header }),
            ...signature.options,
          },
    url: `${base}/webhook/${source}`,
    ...(record.customResponse ? { customResponse: true as const } : {}),
    active,
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
  };
}
