import { expect, test } from "vitest";
import { withResolvers } from "../../../test/support/with-resolvers.ts";
import { systemClock } from "../../lib/clock.ts";
import type { DocumentRecord } from "../store/document-record.ts";
import { createUploads } from "./uploads.ts";

test("a request for a document that takes too long ends with the document in progress, which stays", async () => {
  const records = new Map<string, DocumentRecord>();
  const removed: string[] = [];
  const change = withResolvers();
  const upload = createUploads({
    collections: { owned: () => Promise.reject(new Error("unused")), add: () => Promise.resolve() },
    records: {
      insert: (document) => Promise.resolve(records.set(document.id, document).size > 0),
      enqueue: () => Promise.resolve(true),
      byHash: () => Promise.resolve([...records.values()][0]),
      owned: (id) => Promise.resolve(records.get(id)!),
    },
    files: { keep: () => Promise.resolve(), remove: () => Promise.resolve() },
    clock: systemClock,
    remove: (id) => Promise.resolve(void removed.push(id)),
    onEnqueued: () => undefined,
    nextChange: () => change.promise,
    maxWaitMs: 1,
  });
  const given = () => ({
    file: {
      path: "/nowhere",
      bytes: 1,
      sha256: "ab",
      mediaType: "text/plain",
      discard: () => Promise.resolve(),
    },
    fileName: "manual.txt",
    metadata: {},
    wait: true,
  });
  const first = await upload("user_a", given());
  expect([first.created, first.document.status]).toEqual([true, "processing"]);
  const [id] = [...records.keys()];
  records.set(id!, { ...first.document, status: "indexed" });
  change.resolve();
  const second = await upload("user_a", given());
  expect([second.created, second.document.id, second.document.status]).toEqual([false, id, "indexed"]);
  expect(removed).toEqual([]);
});
