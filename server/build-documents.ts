import { join } from "node:path";
import type { Config } from "./config.ts";
import type { AnswerModel } from "./documents/answer/grounded.ts";
import { createDocumentFiles, type DocumentFiles } from "./documents/document-files.ts";
import { createDocuments, type Documents } from "./documents/documents.ts";
import type { Clock } from "./lib/clock.ts";
import { createEmbeddingModel } from "./models/embedding/create-embedding-model.ts";
import { LOCAL_TOKENIZER_FILE } from "./models/embedding/local-model-file.ts";
import type { Egress } from "./security/egress.ts";
import type { Db } from "./storage/db.ts";
import { createContentStore } from "./storage/document-content-store.ts";
import { createDocumentStore } from "./storage/document-store.ts";
import { createSqliteWords } from "./storage/document-words-sqlite.ts";

export interface BuildDocumentsDeps {
  config: Pick<Config, "dataDir" | "embedding">;
  db: Db;
  clock: Clock;
  egress: Pick<Egress, "webFetch">;
  answerModel?: AnswerModel;
  onError(error: unknown, what: string): void;
}

/** The documents with their stores, their folder and the embedding model that the settings ask for. */
export async function buildDocuments({
  config,
  db,
  egress,
  ...deps
}: BuildDocumentsDeps): Promise<{ documents: Documents; files: DocumentFiles }> {
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
  const words = createSqliteWords(db);
  await words.prepare();
  const files = createDocumentFiles(join(config.dataDir, "documents"));
  const documents = createDocuments({
    ...deps,
    records: createDocumentStore(db),
    store: createContentStore(db, words),
    files,
    embedding,
    tokenizerFile: LOCAL_TOKENIZER_FILE,
  });
  return { documents, files };
}
