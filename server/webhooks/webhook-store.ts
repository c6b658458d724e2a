import type { PageQuery } from "../../contract/api.ts";
import type { SignatureScheme, Webhook } from "../../contract/webhooks.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

/** The vendor's secret is needed again to verify, so it is sealed, not hashed. */
export interface SealedSignature {
  scheme: SignatureScheme;
  header: string | null;
  sealedSecret: string;
}

export interface WebhookRecord {
  id: string;
  ownerId: string;
  name: string;
  source: string;
  workflowId: string;
  metadata: Record<string, unknown>;
  secretHash: string;
  signature: SealedSignature | null;
  active: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface WebhookStore {
  /** False when the owner has a webhook of this source already. */
  insert(webhook: WebhookRecord): Promise<boolean>;
  /** Throws `webhook_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<WebhookRecord>;
  list(ownerId: string, page: PageQuery): Promise<Page<WebhookRecord>>;
  /** Everything but the secret, on top of the state of `expectedUpdatedAt` only. */
  update(webhook: WebhookRecord, expectedUpdatedAt: number): Promise<"stored" | "source_taken" | "outdated">;
  replaceSecret(id: string, ownerId: string, secretHash: string, now: number): Promise<WebhookRecord>;
  /** Its deliveries go with it. */
  remove(id: string, ownerId: string): Promise<void>;
  /** Active ones only: an inactive webhook is an unknown one. */
  bySecret(source: string, secretHash: string): Promise<WebhookRecord | undefined>;
  /** The active webhooks of a source that take a vendor's signature, oldest first. */
  signed(source: string): Promise<WebhookRecord[]>;
}

/** `base` is the address under which the service is reached. */
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
          },
    url: `${base}/webhook/${source}`,
    active,
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
  };
}
