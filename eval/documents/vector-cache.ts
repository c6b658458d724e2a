import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import type { EmbeddingModel } from "../../server/models/embedding/embedding-model.ts";

/** Keeps the vector of each text in a folder, because embedding is most of the cost of an evaluation. */
export function cacheVectors(model: EmbeddingModel, folder: string): EmbeddingModel {
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, "vectors.sqlite"));
  db.exec("PRAGMA busy_timeout = 60000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  db.exec("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID");
  const select = db.prepare("SELECT value FROM vector WHERE key = ?");
  const insert = db.prepare("INSERT OR IGNORE INTO vector (key, value) VALUES (?, ?)");
  const keyOf = (text: string): Buffer => createHash("sha256").update(`${model.id}\n${text}`).digest();

  function find(text: string): Float32Array | undefined {
    const row = select.get(keyOf(text)) as { value: Uint8Array } | undefined;
    return row && new Float32Array(Uint8Array.from(row.value).buffer);
  }

  function keep(texts: readonly string[], vectors: readonly Float32Array[]): void {
    db.exec("BEGIN IMMEDIATE");
    for (const [i, { buffer, byteOffset, byteLength }] of vectors.entries())
      insert.run(keyOf(texts[i] ?? ""), new Uint8Array(buffer, byteOffset, byteLength));
    db.exec("COMMIT");
  }

  return {
    id: model.id,
    get dimensions() {
      return model.dimensions;
    },
    async embed(texts, signal) {
      const found = new Map<string, Float32Array>();
      for (const text of new Set(texts)) {
        const vector = find(text);
        if (vector) found.set(text, vector);
      }
      const missing = [...new Set(texts)].filter((text) => !found.has(text));
      if (missing.length > 0) {
        const vectors = await model.embed(missing, signal);
        keep(missing, vectors);
        for (const [i, vector] of vectors.entries()) found.set(missing[i] ?? "", vector);
      }
      return texts.map((text) => found.get(text)!);
    },
    async close() {
      db.close();
    },
  };
}
