import { expect, test } from "vitest";
import type { FileStore } from "../lib/file-store.ts";
import { createFileUsage } from "./file-usage.ts";

test("a write that ends while the folder is counted is not forgotten", async () => {
  const usage = createFileUsage({ maxNames: 10, maxTotalBytes: 2500 });
  let onWalk: () => void = () => undefined;
  const files = {
    // The file of the first write appears after the folder was listed.
    async *walk() {
      await Promise.resolve();
      onWalk();
      yield* [];
    },
  } as unknown as FileStore;
  onWalk = await usage.reserve("user_a", files, { names: 1, bytes: 1000 });
  await expect(usage.reserve("user_a", files, { names: 1, bytes: 2000 })).rejects.toMatchObject({
    code: "folder_full",
  });
});
