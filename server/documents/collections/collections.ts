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

  async function viewsOf(readerId: string, records: readonly CollectionRecord[]): Promise<CollectionView[]> {
    const emails = await store.readersOf(
      readerId,
      records.map(({ id }) => id),
    );
    return records.map((record) => toView(record, readerId, emails.get(record.id) ?? []));
  }

  async function get(readerId: string, id: string): Promise<CollectionView> {
    const [view] = await viewsOf(readerId, [await store.get(id, readerId)]);
    return view!;
  }

  return {
    get,

    async list(readerId: string, query: PageQuery): Promise<ResultPage<CollectionView>> {
      const { items, nextCursor } = await store.list(readerId, query);
      return { items: await viewsOf(readerId, items), nextCursor };
    },

    async create(ownerId: string, { name, shared_with: shared }: CreateCollection): Promise<CollectionView> {
      const readers = await readersFrom(shared ?? { everyone: false, emails: [] });
      const id = createId("col");
      await store.insert({ id, ownerId, name: name.trim(), createdAt: clock.now() }, readers);
      return get(ownerId, id);
    },

    async update(ownerId: string, id: string, change: UpdateCollection): Promise<CollectionView> {
      const collection = await store.owned(id, ownerId);
      const readers = change.shared_with && (await readersFrom(change.shared_with));
      await store.update(id, ownerId, change.name?.trim() ?? collection.name, readers);
      return get(ownerId, id);
    },

    /** `withDocuments`: also deletes the documents in it, and the collection last, so that a repeated request continues. */
    async remove(ownerId: string, id: string, withDocuments: boolean): Promise<void> {
      await store.owned(id, ownerId);
      for (; withDocuments;) {
        const { items } = await documents.list(ownerId, { limit: BATCH_SIZE }, { collectionId: id });
        if (items.length === 0) break;
        for (const { id: documentId } of items)
          await removeDocument(ownerId, documentId).catch(ignoreNotFound);
      }
      await store.remove(id, ownerId);
    },

    async add(ownerId: string, id: string, documentId: string): Promise<CollectionView> {
      await store.owned(id, ownerId);
      await documents.owned(documentId, ownerId);
      await store.add(id, ownerId, documentId);
      return get(ownerId, id);
    },

    /** Replaces a former key, which stops working at once. The key is returned only here. */
    async createUploadKey(ownerId: string, id: string): Promise<string> {
      await store.owned(id, ownerId);
      const key = createSecret();
      await store.setUploadKey(id, ownerId, hashKey(key));
      return key;
    },

    async revokeUploadKey(ownerId: string, id: string): Promise<CollectionView> {
      await store.owned(id, ownerId);
      await store.setUploadKey(id, ownerId, null);
      return get(ownerId, id);
    },

    /** Removes the document from the collection without deleting it. */
    async detach(ownerId: string, id: string, documentId: string): Promise<CollectionView> {
      await store.owned(id, ownerId);
      await documents.owned(documentId, ownerId);
      await store.detach(id, ownerId, documentId);
      return get(ownerId, id);
    },
  };
}

function toView(record: CollectionRecord, readerId: string, emails: string[]): CollectionView {
  const isOwner = record.ownerId === readerId;
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
