import type { PageQuery } from "../../contract/api.ts";
import type { SignatureScheme } from "../../contract/signature-schemes.ts";
import type { HmacOptions } from "../../contract/webhooks.ts";
import { batchReads } from "../lib/batch-reads.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlParams, SqlValue, Statement } from "../storage/db.ts";
import { isReservedForOthers, reserveNames } from "../storage/name-reservations.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { sizedPage } from "../storage/paging.ts";
import type { CurrentWorkflow, RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";

/** Encrypted, not hashed: verification needs the vendor's secret. */
export interface SealedSignature {
  scheme: SignatureScheme;
  header: string | null;
  options: Omit<HmacOptions, "header">;
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
  customResponse: boolean;
  active: boolean;
  createdAt: number;
  updatedAt: number;
}

/** A webhook as a call resolves it. */
export interface CalledWebhook {
  webhook: WebhookRecord;
  /** Undefined when it was deleted. */
  workflow: CurrentWorkflow | undefined;
}

/** What the URL names: a source, which several owners may use, or one webhook. */
export type Address = { source: string } | { webhookId: string };

export type WebhookStore = ReturnType<typeof createWebhookStore>;

const COLUMNS = [
  "id",
  "owner_id",
  "name",
  "source",
  "workflow_id",
  "metadata",
  "secret_hash",
  "signature_scheme",
  "signature_header",
  "signature_secret",
  "signature_options",
  "custom_response",
  "active",
  "created_at",
  "updated_at",
];
const COLUMN_LIST = COLUMNS.join(", ");
// Each candidate costs an HMAC over the body. Oldest first: new webhooks on a crowded source do not displace old ones.
const MAX_SIGNED = 200;
// A source that another account uses now is shared: it is not reserved for one of its users.
const SOURCE_IS_FREE = `(not ${isReservedForOthers("source", { name: "$source", owner: "$owner_id", now: "$updated_at" })}
  or exists (select 1 from webhook as user_of_source where user_of_source.source = $source and user_of_source.active = 1))`;

export function createWebhookStore(db: Db, workflows: Pick<RunnableWorkflows, "readCurrent">) {
  async function findCalled(condition: string, params: SqlParams): Promise<CalledWebhook | undefined> {
    const [row] = await db.query(
      `select ${COLUMN_LIST} from webhook where ${condition} and active = 1`,
      params,
    );
    if (row === undefined) return undefined;
    const webhook = toWebhook(row);
    return { webhook, workflow: await workflows.readCurrent(webhook) };
  }

  // One read per event loop turn for all calls of the same webhook.
  const findBySecret = batchReads(
    (keys: readonly { source: string; secretHash: string }[]) =>
      keys.map((key) => findCalled("source = $source and secret_hash = $secretHash", key)),
    ({ source, secretHash }) => `${secretHash} ${source}`,
  );
  const findActive = batchReads((ids: readonly string[]) => ids.map((id) => findCalled("id = $id", { id })));

  return {
    /** False when the owner already has a webhook with this source, or it is reserved for another account. */
    async insert(webhook: WebhookRecord): Promise<boolean> {
      const [inserted] = await db.batch([
        {
          sql: `insert into webhook (${COLUMN_LIST}) select ${COLUMNS.map((name) => `$${name}`).join(", ")} where ${SOURCE_IS_FREE}
                on conflict do nothing returning id`,
          params: toColumns(webhook),
        },
      ]);
      return inserted?.length === 1;
    },

    /** Throws `webhook_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<WebhookRecord> {
      const [row] = await db.query(
        `select ${COLUMN_LIST} from webhook where id = $id and owner_id = $ownerId`,
        {
          id,
          ownerId,
        },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, "webhook", "webhook", id) : toWebhook(row);
    },

    list: (ownerId: string, page: PageQuery): Promise<ResultPage<WebhookRecord>> =>
      sizedPage(
        db,
        {
          columns: COLUMN_LIST,
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
      // Before the update: it reads the source that the update may release.
      const [, , updated] = await db.batch([
        ...releaseSource(
          `from webhook where id = $id and owner_id = $owner_id and active = 1
           and (source <> $source or cast($active as bigint) = 0)`,
          toColumns(webhook),
          webhook.updatedAt,
        ),
        {
          sql: `update webhook set name = $name, source = $source, workflow_id = $workflow_id, metadata = $metadata,
                  signature_scheme = $signature_scheme, signature_header = $signature_header,
                  signature_secret = $signature_secret, signature_options = $signature_options,
                  custom_response = $custom_response, active = $active, updated_at = $updated_at
                where id = $id and owner_id = $owner_id and updated_at = $expectedUpdatedAt
                  and not exists (select 1 from webhook as other
                    where other.owner_id = $owner_id and other.source = $source and other.id <> $id)
                  and (source = $source or ${SOURCE_IS_FREE}) returning id`,
          params: { ...toColumns(webhook), expectedUpdatedAt },
        },
      ]);
      if (updated?.length === 1) return "stored";
      const [row] = await db.query("select updated_at from webhook where id = $id", { id: webhook.id });
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
          sql: `update webhook set secret_hash = $secretHash, updated_at = $now
                where id = $id and owner_id = $ownerId returning ${COLUMN_LIST}`,
          params: { id, ownerId, secretHash, now },
        },
      ]);
      const row = updated?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "webhook", "webhook", id) : toWebhook(row);
    },

    /** Deletes the webhook and its deliveries. */
    async remove(id: string, ownerId: string, now: number): Promise<void> {
      const [, , removed] = await db.batch([
        ...releaseSource("from webhook where id = $id and owner_id = $ownerId", { id, ownerId }, now),
        {
          sql: "delete from webhook where id = $id and owner_id = $ownerId returning id",
          params: { id, ownerId },
        },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "webhook", "webhook", id);
    },

    /** Only active webhooks: an inactive one is treated as unknown. */
    findBySecret: (source: string, secretHash: string): Promise<CalledWebhook | undefined> =>
      findBySecret({ source, secretHash }),

    /** An active webhook by its own id. */
    findActive,

    /**
     * The webhook that a refused call is intended for: a paused one with its secret, or the only active one of the address, or
     * the only paused one.
     */
    async findIntended(address: Address, secretHash: string | null): Promise<WebhookRecord | undefined> {
      const [condition, name] =
        "source" in address ? ["source = $name", address.source] : ["id = $name", address.webhookId];
      // One after the other: thousands of owners may use the same source, and two rows of it decide.
      for (const which of [
        "active = 0 and secret_hash = cast($secretHash as text)",
        "active = 1",
        "active = 0",
      ]) {
        const [first, second] = await db.query(
          `select ${COLUMN_LIST} from webhook where ${condition} and ${which} limit 2`,
          { name, secretHash },
        );
        if (first !== undefined) return second === undefined ? toWebhook(first) : undefined;
      }
      return undefined;
    },

    /** The active webhooks of a source that accept a vendor's signature, oldest first. */
    async listSigned(source: string): Promise<WebhookRecord[]> {
      const rows = await db.query(
        `select ${COLUMN_LIST} from webhook where source = $source and signature_scheme is not null and active = 1
         order by id limit ${MAX_SIGNED}`,
        { source },
      );
      return rows.map(toWebhook);
    },
  };
}

function releaseSource(from: string, params: Statement["params"], now: number): Statement[] {
  return reserveNames("source", { name: "source", from, params, now });
}

function toColumns({ signature, ...webhook }: WebhookRecord): Record<string, SqlValue> {
  return {
    id: webhook.id,
    owner_id: webhook.ownerId,
    name: webhook.name,
    source: webhook.source,
    workflow_id: webhook.workflowId,
    metadata: JSON.stringify(webhook.metadata),
    secret_hash: webhook.secretHash,
    signature_scheme: signature?.scheme ?? null,
    signature_header: signature?.header ?? null,
    signature_secret: signature?.sealedSecret ?? null,
    signature_options: signature === null ? null : JSON.stringify(signature.options),
    custom_response: Number(webhook.customResponse),
    active: Number(webhook.active),
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
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
            options: JSON.parse(
              (row["signature_options"] as string | null) ?? "{}",
            ) as SealedSignature["options"],
            sealedSecret: row["signature_secret"] as string,
          },
    customResponse: Number(row["custom_response"]) === 1,
    active: Number(row["active"]) === 1,
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
  };
}
