import { expect, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createLargeOutputs, createOutputs, sizeOfRef, storeValue } from "./outputs.ts";

const LARGE = 100_000;

/** A journal of one task that counts how often it is read. */
function journal(values: Record<string, JsonValue>) {
  const reads: string[] = [];
  const blobs = new Map<string, string>();
  return {
    reads,
    blobs: {
      put: (key: string, text: string) => Promise.resolve(void blobs.set(key, text)),
      get: (key: string) => Promise.resolve(blobs.get(key)!),
      open: () => Promise.reject(new Error("not used")),
      removeFolder: () => Promise.resolve(),
    },
    store: {
      outputs(_taskId: string, [path]: readonly string[]) {
        reads.push(path!);
        return Promise.resolve([{ path: path!, output: JSON.stringify(values[path!]), outputRef: null }]);
      },
    },
  };
}

test("small outputs stay in memory, and a large one is read back after others have taken its place", async () => {
  const { store, blobs, reads } = journal({ a: "large a", b: "large b" });
  const large = createLargeOutputs(LARGE * 1.5);
  const outputs = createOutputs("task_1", store, blobs, large);
  outputs.keep("small", 1);
  outputs.keep("a", "large a", LARGE);
  expect([await outputs.get("small"), await outputs.get("a"), reads]).toEqual([1, "large a", []]);
  outputs.keep("b", "large b", LARGE);
  expect(await outputs.get("a")).toBe("large a");
  expect(reads).toEqual(["a"]);
});

test("runs share the space for large outputs, but never read each other's", async () => {
  const { store, blobs, reads } = journal({ a: "from the journal" });
  const large = createLargeOutputs();
  const earlier = createOutputs("task_1", store, blobs, large);
  const later = createOutputs("task_1", store, blobs, large);
  earlier.keep("a", "of the earlier run", LARGE);
  later.keep("b", "b", LARGE);
  expect(await later.get("a")).toBe("from the journal");
  expect(reads).toEqual(["a"]);
});

test("a run that has left frees its space", async () => {
  const { store, blobs, reads } = journal({ a: "a" });
  const deleted: string[] = [];
  const large = createLargeOutputs();
  const outputs = createOutputs("task_1", store, blobs, {
    ...large,
    delete: (key) => (deleted.push(key), large.delete(key)),
  });
  outputs.keep("a", "a", LARGE);
  outputs.keep("b", "b", LARGE);
  outputs.forget("b");
  outputs.forgetLarge();
  expect(deleted).toHaveLength(2);
  expect([await outputs.get("a"), reads]).toEqual(["a", ["a"]]);
});

test("the key of a stored value tells its size, and that of an older version does not", async () => {
  const { blobs } = journal({});
  const json = JSON.stringify("x".repeat(300_000));
  const { outputRef } = await storeValue("task_1", json, blobs);
  expect(sizeOfRef(outputRef!)).toBe(json.length);
  expect(await blobs.get(outputRef!)).toBe(json);
  expect(sizeOfRef("task_1/req_abc")).toBeUndefined();
});
