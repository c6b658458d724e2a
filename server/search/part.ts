import type { Documents } from "../documents/documents.ts";
import type { Part, Platform } from "../platform/part.ts";
import { createSearch } from "./search.ts";
import { searchRoutes } from "./search.routes.ts";
import { createSearchStore } from "./search.sql.ts";
import { createWorkflowIndex } from "./workflow-index.sql.ts";

const INDEXED_AT_ONCE = 100;

/** One search over the records of an owner. */
export function createSearchPart(
  { db, report }: Platform,
  { findPassages }: Pick<Documents, "findPassages">,
): Part {
  const index = createWorkflowIndex(db);
  const search = createSearch({ store: createSearchStore(db), index, findPassages });
  const stopping = new AbortController();

  /** After an upgrade no workflow is in the index. */
  async function catchUp(): Promise<void> {
    while (!stopping.signal.aborted && (await index.refreshAny(INDEXED_AT_ONCE)) > 0);
  }

  let catchingUp: Promise<void> | undefined;
  return {
    routes: (http) => searchRoutes(http, search),
    start() {
      catchingUp = catchUp().catch((error: unknown) => report(error, "indexing workflows for the search"));
    },
    eraseOwner: (ownerId, batches) => batches.deleteAll((limit) => index.removeOwned(ownerId, limit)),
    async stop() {
      stopping.abort();
      await catchingUp;
    },
  };
}
