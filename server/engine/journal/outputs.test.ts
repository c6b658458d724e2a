import { expect, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import {
  BEGINNING_CHARACTERS,
  createLargeOutputs,
  createOutputs,
  inputText,
  linkToOutput,
  loadJson,
  loadValue,
  sizeOfRef,
  storeValue,
} from "./outputs.ts";

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

test("a value is in its row up to the limit, and in the blob store beyond it", async () => {
  const { blobs } = journal({});
  const largest = "x".repeat(256 * 1024);
  const row = await storeValue("task_1", largest, blobs);
  expect(row).toEqual({ output: largest, outputRef: null });
  const { output, outputRef } = await storeValue("task_1", `"${largest}"`, blobs);
  expect([output, await loadValue({ output, outputRef }, blobs)]).toEqual([null, largest]);
  expect(await storeValue("task_1", undefined, blobs)).toEqual({ output: null, outputRef: null });
  expect(await loadJson({ output: null, outputRef: null }, blobs)).toBe("null");
});

test("what is too large for a response or an input says so", () => {
  expect(linkToOutput("task_1", "each[0]/a", 7)).toEqual({
    truncated: true,
    bytes: 7,
    url: "/api/tasks/task_1/steps/each%5B0%5D%2Fa/output",
  });
  expect(inputText("x".repeat(10), 10)).toBe("x".repeat(10));
  const text = "y".repeat(BEGINNING_CHARACTERS + 5);
  expect(JSON.parse(inputText(text, 10))).toEqual({
    truncated: true,
    characters: text.length,
    begins: text.slice(0, BEGINNING_CHARACTERS),
  });
});
