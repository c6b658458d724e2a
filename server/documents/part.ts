import { join } from "node:path";
import { createDocumentFiles } from "./store/document-files.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { documentRoutes } from "./document.routes.ts";
import { documentUploadRoutes } from "./document-upload.routes.ts";
import type { LanguageModels } from "../models/language-model.ts";
import { textModel } from "../models/text-model.ts";
import { createEmbeddingModel } from "../models/embedding/create-embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "../models/embedding/local-model-file.ts";
import type { DocumentStanding } from "../realtime/document-watch.ts";
import { createFullTextIndex } from "./store/create-full-text-index.sql.ts";
import { createContentStore } from "./store/content.sql.ts";
import { createDocumentStore } from "./store/document.sql.ts";
import type { Platform, Part } from "../platform/part.ts";

/** A task goes on where it was, a document begins anew with whoever takes it over: that is waited for a little longer. */
const LEASES = 4;

export interface DocumentsPart extends Part {
  documents: Documents;
  standing: DocumentStanding;
}

/** Documents with their stores, their folder and the embedding model that the settings ask for. */
export async function createDocumentsPart(
  { config, db, files: stores, clock, egress, report }: Platform,
  models: LanguageModels,
): Promise<DocumentsPart> {
  const { provider, model, baseUrl, apiKey } = config.embedding;
  const embedding = await createEmbeddingModel(
    {
      provider,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
    },
    { modelFolder: join(config.dataDir, "models"), fetch: egress.webFetch },
  );
  const fullText = createFullTextIndex(db);
  await fullText.prepare();
  const files = createDocumentFiles({
    files: stores.area("documents"),
    incomingFolder: join(config.dataDir, "documents", "incoming"),
  });
  const documents = createDocuments({
    clock,
    onError: report,
    ...(models.list().length > 0 && { answerModel: textModel(models) }),
    records: createDocumentStore(db),
    store: createContentStore(db, fullText),
    files,
    embedding,
    tokenizerFile: LOCAL_TOKENIZER_FILE,
    ...(config.database.url !== undefined && { leaseMs: LEASES * config.leaseMs }),
    tell: (documentId) => db.notify("document", documentId),
  });
  const stopListening = await db.listen("document", () => documents.heard());
  return {
    documents,
    async standing(userId, documentId) {
      const { status, pages, pages_done, chunks_done } = await documents.get(userId, documentId);
      return { documentId, status, pages, pagesDone: pages_done, chunksDone: chunks_done };
    },
    routes(http) {
      documentRoutes(http, documents);
      documentUploadRoutes(http, { documents, files, limitBytes: config.limits.uploadBytes });
    },
    // What the last process left half taken in is taken up again.
    begin: () => void documents.recover(),
    // A document may take minutes; the next start goes on with it, and its uploader is told so.
    stop: () => documents.stopIngesting(),
    async close() {
      await stopListening();
      await documents.close();
    },
  };
}
