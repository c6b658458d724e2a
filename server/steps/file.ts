import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { StepRunner } from "../engine/step-runner.ts";
import { bytesOf, decodeUtf8, toBinaryValue } from "./binary-value.ts";
import { toFileFailure } from "./file-failures.ts";
import { type FilePlace, namesOf, ownerRoot } from "./file-path.ts";
import { createFileUsage, type FileUsageLimits } from "./file-usage.ts";
import { createOwnerFiles } from "./owner-files.ts";
import { describeValue, invalidField, permanentFailure, requiredText } from "./step-failure.ts";

const MEGABYTE = 1024 * 1024;
const ABANDONED_MS = 3600_000;

export interface FileRunnerDeps {
  dataDir: string;
  maxFileBytes?: number;
  limits?: FileUsageLimits;
}

/** Files of `<dataDir>/files/<ownerId>/` and of nowhere else. */
export function createFileRunner(deps: FileRunnerDeps): StepRunner {
  const filesFolder = join(deps.dataDir, "files");
  // Owners' ids have no dot in them, so this is nobody's folder.
  const temporaryFolder = join(filesFolder, ".unfinished");
  const files = createOwnerFiles({
    temporaryFolder,
    maxFileBytes: deps.maxFileBytes ?? 64 * MEGABYTE,
    usage: createFileUsage(deps.limits ?? { maxNames: 100_000, maxTotalBytes: 10_240 * MEGABYTE }),
  });
  let swept: Promise<void> | undefined;

  async function act(action: string, place: FilePlace, content: JsonValue | undefined): Promise<JsonValue> {
    const { path } = place;
    switch (action) {
      case "read": {
        const bytes = await files.read(place);
        return decodeUtf8(bytes) ?? toBinaryValue(bytes);
      }
      case "write": {
        const bytes = contentBytes(content);
        await files.write(place, bytes);
        return { path, bytes: bytes.length };
      }
      case "append":
        return { path, bytes: await files.append(place, contentBytes(content)) };
      case "list":
        return files.list(place);
      case "delete":
        if (place.names.length === 0)
          throw permanentFailure("invalid_path", "Your folder itself cannot be deleted.");
        return { path, deleted: await files.remove(place) };
      default:
        throw invalidField(
          "action",
          `must be read, write, append, list or delete, not ${describeValue(action)}`,
        );
    }
  }

  return {
    async run({ fields, ownerId }) {
      const names = namesOf(requiredText(fields, "path"));
      const path = names.join("/") || "/";
      try {
        const root = await ownerRoot(filesFolder, ownerId);
        await (swept ??= sweep(temporaryFolder));
        const action = requiredText(fields, "action");
        return { output: await act(action, { root, names, path }, fields["content"]) };
      } catch (error) {
        throw toFileFailure(error, path);
      }
    },
  };
}

/** Text as it is, bytes as bytes, anything else as JSON that people can read. */
function contentBytes(content: JsonValue | undefined): Buffer {
  if (content === undefined || content === null) return Buffer.alloc(0);
  if (typeof content === "string") return Buffer.from(content);
  return bytesOf(content) ?? Buffer.from(JSON.stringify(content, null, 2));
}

/** What a crash left behind. Young ones may belong to another process that is writing right now. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats && Date.now() - stats.mtimeMs > ABANDONED_MS) await unlink(file).catch(() => {});
  }
}
