import type { PageQuery } from "../../../contract/api.ts";
import { forbidden, notFound } from "../../lib/errors.ts";
import { type ResultPage, toResultPage } from "../../lib/result-page.ts";
import type { Db, Row, Statement } from "../../storage/db.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";
import { READABLE_COLLECTION } from "./collection-access.ts";

export interface CollectionRecord {
  id: string;
  ownerId: string;
  ownerName: string;
  name: string;
  documents: number;
  sharedWithEveryone: boolean;
  hasUploadKey: boolean;
  createdAt: number;
}

export interface Readers {
  everyone: boolean;
  userIds: readonly string[];
}

export type CollectionStore = ReturnType<typeof createCollectionStore>;

const COLUMNS = `c.id, c.owner_id, c.name, c.shared_with_everyone, c.upload_key_hash, c.created_at,
  coalesce(a.name, a.email, o.name) as owner_name,
  (select count(*) from collection_document as cd join document as d on d.id = cd.document_id
   where cd.collection_id = c.id and d.status <> 'deleting') as documents`;

/** A personal workspace is shown by the name of its user. */
const OWNER = "join workspace as o on o.id = c.owner_id left join account as a on a.id = c.owner_id";

export function createCollectionStore(db: Db) {
  /** Throws `collection_not_found`: a user without access does not learn that the collection exists. */
  async function get(id: string, readerId: string): Promise<CollectionRecord> {
    const [row] = await db.query(
      `select ${COLUMNS} from collection as c ${OWNER}
       where c.id = $id and ${READABLE_COLLECTION}`,
      { id, readerId },
    );
    if (row === undefined) throw notFound("collection", id);
    return toCollection(row);
  }

  /** Throws `forbidden` for a reader. */
  async function owned(id: string, ownerId: string): Promise<CollectionRecord> {
    const collection = await get(id, ownerId);
    if (collection.ownerId !== ownerId) throw forbidden("collection");
    return collection;
  }

  return {
    get,
    owned,

    async insert(
      collection: Pick<CollectionRecord, "id" | "ownerId" | "name" | "createdAt">,
      readers: Readers,
    ) {
      const { id, ownerId, name, createdAt } = collection;
      await db.batch([
        {
          sql: `insert into collection (id, owner_id, name, created_at) values ($id, $ownerId, $name, $createdAt)`,
          params: { id, ownerId, name, createdAt },
        },
        ...replaceReaders(id, ownerId, readers),
      ]);
    },

    async update(id: string, ownerId: string, name: string, readers: Readers | undefined): Promise<void> {
      await db.batch([
        {
          sql: "update collection set name = $name where id = $id and owner_id = $ownerId",
          params: { id, ownerId, name },
        },
        ...(readers === undefined ? [] : replaceReaders(id, ownerId, readers)),
      ]);
    },

    async remove(id: string, ownerId: string): Promise<void> {
      await db.batch([
        {
          sql: "delete from collection where id = $id and owner_id = $ownerId",
          params: { id, ownerId },
        },
      ]);
    },

    /** Those of the user and those shared with the user, newest first. */
    async list(readerId: string, { limit, cursor }: PageQuery): Promise<ResultPage<CollectionRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from collection as c ${OWNER}
         where c.id < $cursor and ${READABLE_COLLECTION} order by c.id desc limit $limit`,
        { readerId, cursor: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toCollection), limit, ({ id }) => id);
    },

    /** The email addresses of the named readers of the owner's collections among `ids`. */
    async readersOf(ownerId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
      const rows = await db.query<{ collection_id: string; email: string }>(
        `select r.collection_id, a.email from collection as c
         join collection_reader as r on r.collection_id = c.id join account as a on a.id = r.user_id
         where c.owner_id = $ownerId and c.id in (select e.value from json_each(cast($ids as text)) as e)
         order by a.email`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      const emails = new Map<string, string[]>();
      for (const { collection_id: id, email } of rows) emails.set(id, [...(emails.get(id) ?? []), email]);
      return emails;
    },

    /** The accounts with these email addresses. */
    async accountsWith(emails: readonly string[]): Promise<{ id: string; email: string }[]> {
      return db.query<{ id: string; email: string }>(
        "select id, email from account where email in (select e.value from json_each(cast($emails as text)) as e)",
        { emails: JSON.stringify(emails) },
      );
    },

    /** Only a document of the same owner, which keeps every document of a collection its owner's. */
    async add(id: string, ownerId: string, documentId: string): Promise<void> {
      await db.batch([
        {
          sql: `insert into collection_document (collection_id, document_id)
                select c.id, d.id from collection as c join document as d on d.owner_id = c.owner_id
                where c.id = $id and c.owner_id = $ownerId and d.id = $documentId and d.status <> 'deleting'
                on conflict do nothing`,
          params: { id, ownerId, documentId },
        },
      ]);
    },

    /** Null revokes the key. */
    async setUploadKey(id: string, ownerId: string, keyHash: string | null): Promise<void> {
      await db.batch([
        {
          sql: "update collection set upload_key_hash = $keyHash where id = $id and owner_id = $ownerId",
          params: { id, ownerId, keyHash },
        },
      ]);
    },

    /** The owner of the collection with this key. */
    async findByUploadKey(id: string, keyHash: string): Promise<string | undefined> {
      const [row] = await db.query<{ owner_id: string }>(
        "select owner_id from collection where id = $id and upload_key_hash = $keyHash",
        { id, keyHash },
      );
      return row?.owner_id;
    },

    /** The account of this address and its oldest collection of this name. */
    async findByName(email: string, name: string | undefined) {
      const [row] = await db.query<{ owner_id: string; id: string | null }>(
        `select a.id as owner_id, c.id from account as a
         left join collection as c on c.owner_id = a.id and c.name = $name
         where a.email = $email order by c.id limit 1`,
        { email, name: name ?? null },
      );
      return row && { ownerId: row.owner_id, collectionId: row.id ?? undefined };
    },

    async detach(id: string, ownerId: string, documentId: string): Promise<void> {
      await db.batch([
        {
          sql: `delete from collection_document where collection_id = $id and document_id = $documentId
                and exists (select 1 from collection as c where c.id = $id and c.owner_id = $ownerId)`,
          params: { id, ownerId, documentId },
        },
      ]);
    },
  };
}

function replaceReaders(id: string, ownerId: string, { everyone, userIds }: Readers): Statement[] {
  const mine = "exists (select 1 from collection as c where c.id = $id and c.owner_id = $ownerId)";
  return [
    {
      sql: "update collection set shared_with_everyone = $everyone where id = $id and owner_id = $ownerId",
      params: { id, ownerId, everyone: Number(everyone) },
    },
    { sql: `delete from collection_reader where collection_id = $id and ${mine}`, params: { id, ownerId } },
    {
      sql: `insert into collection_reader (collection_id, user_id)
            select $id, a.id from account as a where ${mine} and a.id <> $ownerId
              and a.id in (select e.value from json_each(cast($userIds as text)) as e)`,
      params: { id, ownerId, userIds: JSON.stringify(userIds) },
    },
  ];
}

function toCollection(row: Row): CollectionRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    ownerName: row["owner_name"] as string,
    name: row["name"] as string,
    documents: Number(row["documents"]),
    sharedWithEveryone: Number(row["shared_with_everyone"]) === 1,
    hasUploadKey: row["upload_key_hash"] !== null,
    createdAt: Number(row["created_at"]),
  };
}
