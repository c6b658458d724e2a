import type { PageQuery } from "../../../contract/api.ts";
import type { CollectionView, CreateCollection, UpdateCollection } from "../../../contract/collections.ts";
import { type Clock, toIso } from "../../lib/clock.ts";
import { AppError, invalidRequest } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import type { ResultPage } from "../../lib/result-page.ts";
import { createSecret, hashKey } from "../../security/api-keys.ts";
import type { DocumentReads } from "../store/document-record.ts";
import type { CollectionRecord, CollectionStore, Readers } from "./collection.sql.ts";

export interface CollectionsDeps {
  store: CollectionStore;
  documents: Pick<DocumentReads, "owned" | "list">;
  removeDocument(ownerId: string, documentId: string): Promise<void>;
  clock: Clock;
}

export type Collections = ReturnType<typeof createCollections>;

const BATCH_SIZE = 50;

/** Folders of documents. The owner changes them; readers view and ask the documents in them. */
export function createCollections({ store, documents, removeDocument, clock }: CollectionsDeps) {
  async function readersFrom(shared: { everyone: boolean; emails: string[] }): Promise<Readers> {
    const emails = [...new Set(shared.emails.map((email) => email.trim().toLowerCase()))];
    const accounts = await store.accountsWith(emails);
    const unknown = emails.find((email) => !accounts.some((account) => account.email === email));
    if (unknown !== undefined)
      throw invalidRequest(`No account has the email address ${unknown}.`, [
        { path: "shared_with.emails", message: `no account has the address ${unknown}` },
      ]);
    return { everyone: shared.everyone, userIds: accounts.map(({ id }) => id) };
  }

  async function viewsOf(userId: string, records: readonly CollectionRecord[]): Promise<CollectionView[]> {
    const emails = await store.readersOf(
      userId,
      records.map(({ id }) => id),
    );
    return records.map((record) => toView(record, userId, emails.get(record.id) ?? []));
  }

  async function get(userId: string, id: string): Promise<CollectionView> {
    const [view] = await viewsOf(userId, [await store.get(id, userId)]);
    return view!;
  }

  return {
    get,

    async list(userId: string, query: PageQuery): Promise<ResultPage<CollectionView>> {
      const { items, nextCursor } = await store.list(userId, query);
      return { items: await viewsOf(userId, items), nextCursor };
    },

    async create(userId: string, { name, shared_with: shared }: CreateCollection): Promise<CollectionView> {
      const readers = await readersFrom(shared ?? { everyone: false, emails: [] });
      const id = createId("col");
      await store.insert({ id, ownerId: userId, name: name.trim(), createdAt: clock.now() }, readers);
      return get(userId, id);
    },

    async update(userId: string, id: string, change: UpdateCollection): Promise<CollectionView> {
      const collection = await store.owned(id, userId);
      const readers = change.shared_with && (await readersFrom(change.shared_with));
      await store.update(id, userId, change.name?.trim() ?? collection.name, readers);
      return get(userId, id);
    },

    /** `withDocuments`: also deletes the documents in it, and the collection last, so that a repeated request continues. */
    async remove(userId: string, id: string, withDocuments: boolean): Promise<void> {
      await store.owned(id, userId);
      for (; withDocuments;) {
        const { items } = await documents.list(userId, { limit: BATCH_SIZE }, { collectionId: id });
        if (items.length === 0) break;
        for (const { id: documentId } of items)
          await removeDocument(userId, documentId).catch(ignoreNotFound);
      }
      await store.remove(id, userId);
    },

    async add(userId: string, id: string, documentId: string): Promise<CollectionView> {
      await store.owned(id, userId);
      await documents.owned(documentId, userId);
      await store.add(id, userId, documentId);
      return get(userId, id);
    },

    /** Replaces a former key, which stops working at once. The key is returned only here. */
    async createUploadKey(userId: string, id: string): Promise<string> {
      await store.owned(id, userId);
      const key = createSecret();
      await store.setUploadKey(id, userId, hashKey(key));
      return key;
    },

    async revokeUploadKey(userId: string, id: string): Promise<CollectionView> {
      await store.owned(id, userId);
      await store.setUploadKey(id, userId, null);
      return get(userId, id);
    },

    async takeOut(userId: string, id: string, documentId: string): Promise<CollectionView> {
      await store.owned(id, userId);
      await documents.owned(documentId, userId);
      await store.takeOut(id, userId, documentId);
      return get(userId, id);
    },
  };
}

function toView(record: CollectionRecord, userId: string, emails: string[]): CollectionView {
  const isOwner = record.ownerId === userId;
  return {
    collection_id: record.id,
    name: record.name,
    documents: record.documents,
    access: isOwner ? "owner" : "reader",
    owner_name: record.ownerName,
    shared_with: isOwner ? { everyone: record.sharedWithEveryone, emails } : null,
    has_upload_key: isOwner && record.hasUploadKey,
    created_at: toIso(record.createdAt),
  };
}

/** Another request has deleted it meanwhile. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof AppError && error.code === "document_not_found")) throw error;
}
