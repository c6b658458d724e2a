import type { PageQuery } from "../../contract/api.ts";
import type { SignatureScheme } from "../../contract/webhooks.ts";
import type { Page } from "../lib/page.ts";
import type { Db, Row, SqlValue } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { sizedPage } from "../storage/paging.ts";

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

export type WebhookStore = ReturnType<typeof createWebhookStore>;

const COLUMNS = `id, owner_id, name, source, workflow_id, metadata, signature_scheme, signature_header,
  signature_secret, active, updated_at, created_at, secret_hash`;
// Each candidate costs an HMAC over the body. Oldest first: new webhooks on a crowded source do not displace old ones.
const MAX_SIGNED = 200;

export function createWebhookStore(db: Db) {
  return {
    /** False when the owner already has a webhook with this source. */
    async insert(webhook: WebhookRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into webhook (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                on conflict do nothing returning id`,
          params: [...toParams(webhook), webhook.createdAt, webhook.secretHash],
        },
      ]);
      return inserted?.length === 1;
    },

    /** Throws `webhook_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<WebhookRecord> {
      const [row] = await db.query(`select ${COLUMNS} from webhook where id = $1 and owner_id = $2`, [
        id,
        ownerId,
      ]);
      return row === undefined ? throwNotFoundOrForbidden(db, "webhook", "webhook", id) : toWebhook(row);
    },

    list: (ownerId: string, page: PageQuery): Promise<Page<WebhookRecord>> =>
      sizedPage(
        db,
        {
          columns: COLUMNS,
          from: "from webhook where owner_id = $ownerId",
          params: { ownerId },
          size: "length(metadata)",
        },
        page,
        toWebhook,
      ),

    /** Writes everything except the secret, unless the row changed after `expectedUpdatedAt`. */
    async update(
      webhook: WebhookRecord,
      expectedUpdatedAt: number,
    ): Promise<"stored" | "source_taken" | "outdated"> {
      const [updated] = await db.batch([
        {
          sql: `update webhook set name = $3, source = $4, workflow_id = $5, metadata = $6, signature_scheme = $7,
                  signature_header = $8, signature_secret = $9, active = $10, updated_at = $11
                where id = $1 and owner_id = $2 and updated_at = $12 and not exists (select 1 from webhook as other
                  where other.owner_id = $2 and other.source = $4 and other.id <> $1) returning id`,
          params: [...toParams(webhook), expectedUpdatedAt],
        },
      ]);
      if (updated?.length === 1) return "stored";
      const [row] = await db.query("select updated_at from webhook where id = $1", [webhook.id]);
      return Number(row?.["updated_at"]) === expectedUpdatedAt ? "source_taken" : "outdated";
    },

    async replaceSecret(
      id: string,
      ownerId: string,
      secretHash: string,
      now: number,
    ): Promise<WebhookRecord> {
      const [updated] = await db.batch([
        {
          sql: `update webhook set secret_hash = $3, updated_at = $4
                where id = $1 and owner_id = $2 returning ${COLUMNS}`,
          params: [id, ownerId, secretHash, now],
        },
      ]);
      const row = updated?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "webhook", "webhook", id) : toWebhook(row);
    },

    /** Deletes the webhook and its deliveries. */
    async remove(id: string, ownerId: string): Promise<void> {
      const [removed] = await db.batch([
        { sql: "delete from webhook where id = $1 and owner_id = $2 returning id", params: [id, ownerId] },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "webhook", "webhook", id);
    },

    /** Only active webhooks: an inactive one is treated as unknown. */
    async findBySecret(source: string, secretHash: string): Promise<WebhookRecord | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from webhook where source = $1 and secret_hash = $2 and active = 1`,
        [source, secretHash],
      );
      return row === undefined ? undefined : toWebhook(row);
    },

    /** The active webhooks of a source that accept a vendor's signature, oldest first. */
    async listSigned(source: string): Promise<WebhookRecord[]> {
      const rows = await db.query(
        `select ${COLUMNS} from webhook where source = $1 and signature_scheme is not null and active = 1
         order by id limit ${MAX_SIGNED}`,
        [source],
      );
      return rows.map(toWebhook);
    },
  };
}

function toParams({ signature, ...webhook }: WebhookRecord): SqlValue[] {
  return [
    webhook.id,
    webhook.ownerId,
    webhook.name,
    webhook.source,
    webhook.workflowId,
    JSON.stringify(webhook.metadata),
    signature?.scheme ?? null,
    signature?.header ?? null,
    signature?.sealedSecret ?? null,
    Number(webhook.active),
    webhook.updatedAt,
  ];
}

function toWebhook(row: Row): WebhookRecord {
  const scheme = row["signature_scheme"] as SignatureScheme | null;
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    source: row["source"] as string,
    workflowId: row["workflow_id"] as string,
    metadata: JSON.parse(row["metadata"] as string) as Record<string, unknown>,
    secretHash: row["secret_hash"] as string,
    signature:
      scheme === null
        ? null
        : {
            scheme,
            header: row["signature_header"] as string | null,
            sealedSecret: row["signature_secret"] as string,
          },
    active: Number(row["active"]) === 1,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
