import { AppError } from "../lib/errors.ts";

export interface NamedDocuments {
  documentIds: readonly string[];
  collectionIds: readonly string[];
}

/** Throws `document_not_found` or `collection_not_found` unless the owner may query all of them. */
export type RequireDocuments = (ownerId: string, named: NamedDocuments) => Promise<void>;

/** The documents and collections that still exist: a deleted one must not make the others unreadable. */
export async function readableDocuments(
  requireDocuments: RequireDocuments,
  ownerId: string,
  named: NamedDocuments,
): Promise<NamedDocuments> {
  const isReadable = (some: Partial<NamedDocuments>): Promise<boolean> =>
    requireDocuments(ownerId, { documentIds: [], collectionIds: [], ...some }).then(
      () => true,
      missingAsFalse,
    );
  if (await isReadable(named)) return named;
  const documentIds: string[] = [];
  for (const id of named.documentIds) if (await isReadable({ documentIds: [id] })) documentIds.push(id);
  const collectionIds: string[] = [];
  for (const id of named.collectionIds) if (await isReadable({ collectionIds: [id] })) collectionIds.push(id);
  return { documentIds, collectionIds };
}

function missingAsFalse(error: unknown): false {
  if (error instanceof AppError && /^(document|collection)_not_found$/.test(error.code)) return false;
  throw error;
}
