import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { isFileReference } from "../../contract/file-reference.ts";
import type { StepRunner } from "../engine/run/step-runner.ts";
import { serialize } from "../lib/serialize-json.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { bytesOf, decodeUtf8, toBinaryValue } from "./binary-value.ts";
import { toFileFailure } from "./file-failure.ts";
import { createFileCopies } from "./file-copies.ts";
import { namesOf } from "./file-path.ts";
import type { OwnerFiles, OwnerFolders } from "./owner-files.ts";
import { describeValue, invalidField, permanentFailure, requiredText } from "./step-failure.ts";

export interface FileRunnerDeps {
  folders: OwnerFolders;
  runFiles: Pick<RunFiles, "create" | "open" | "newPath">;
}

/** Reads and writes files in the owner's own folder only. */
export function createFileRunner(deps: FileRunnerDeps): StepRunner {
  return {
    async run({ fields, ownerId, taskId }) {
      const key = namesOf(requiredText(fields, "path")).join("/");
      const action = requiredText(fields, "action");
      const files = deps.folders(ownerId);
      const references = createFileCopies(deps.runFiles, files, { ownerId, taskId });
      try {
        if (action === "read" && fields["as"] === "file") return { output: await references.read(key) };
        const content = fields["content"];
        if (action === "write" && isFileReference(content))
          return { output: { path: key, bytes: await references.write(key, content.file) } };
        return { output: await act(files, action, key, content) };
      } catch (error) {
        throw toFileFailure(error);
      }
    },
  };
}

async function act(
  files: OwnerFiles,
  action: string,
  key: string,
  content: JsonValue | undefined,
): Promise<JsonValue> {
  const path = key || "/";
  switch (action) {
    case "read": {
      const bytes = await files.read(key);
      return decodeUtf8(bytes) ?? toBinaryValue(bytes);
    }
    case "write": {
      const bytes = await contentBytes(content);
      await files.write(key, bytes);
      return { path, bytes: bytes.length };
    }
    case "append":
      return { path, bytes: await files.append(key, await contentBytes(content)) };
    case "list":
      return files.list(key);
    case "delete":
      if (key === "") throw permanentFailure("invalid_path", "Your folder itself cannot be deleted.");
      return { path, deleted: await files.remove(key) };
    default:
      throw invalidField(
        "action",
        `must be read, write, append, list or delete, not ${describeValue(action)}`,
      );
  }
}

/** Text and bytes are written unchanged, any other value as indented JSON. */
async function contentBytes(content: JsonValue | undefined): Promise<Buffer> {
  if (content === undefined || content === null) return Buffer.alloc(0);
  if (isFileReference(content)) throw invalidField("content", "cannot be a file when it is appended");
  if (typeof content === "string") return Buffer.from(content);
  return bytesOf(content) ?? Buffer.from(await serialize(content, { indent: true }));
}
