import type { Readable } from "node:stream";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { isFileReference } from "../../contract/file-reference.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { bytesOf } from "./binary-value.ts";
import { toFileFailure } from "./file-failure.ts";
import { describeValue, invalidField, permanentFailure } from "./step-failure.ts";

/** Most mail servers refuse larger messages; an attachment grows by a third on the way. */
const MAX_BYTES = 25 * 1024 * 1024;

interface Attachment {
  filename: string;
  contentType?: string;
  content: Readable | Buffer;
}

/** Files of earlier steps as streams, and `{name, content}` with text or a file. `close` ends streams that were not read. */
export async function openAttachments(
  { ownerId, fields }: StepCall,
  runFiles: Pick<RunFiles, "find" | "open">,
): Promise<{ list: Attachment[]; close(): void }> {
  const given = fields["attachments"] ?? [];
  const list: Attachment[] = [];
  const close = (): void => {
    for (const { content } of list) if (!Buffer.isBuffer(content)) content.destroy();
  };
  let bytes = 0;
  const count = (size: number): void => {
    bytes += size;
    if (bytes > MAX_BYTES)
      throw permanentFailure(
        "file_too_large",
        `The attachments are larger than ${MAX_BYTES} bytes in total.`,
      );
  };
  try {
    for (const item of Array.isArray(given) ? given : [given]) {
      const { name, content } = parts(item);
      if (isFileReference(content)) {
        count((await runFiles.find(ownerId, content.file)).size);
        const { stream, reference } = await runFiles.open(ownerId, content.file);
        const { contentType } = reference;
        list.push({ filename: name ?? reference.name, contentType, content: stream });
        continue;
      }
      const data = typeof content === "string" ? Buffer.from(content) : bytesOf(content);
      if (data === undefined)
        throw invalidField("attachments", `must be files of earlier steps, not ${describeValue(content)}`);
      count(data.length);
      list.push({ filename: name ?? "attachment", content: data });
    }
  } catch (error) {
    close();
    throw toFileFailure(error);
  }
  return { list, close };
}

function parts(item: JsonValue): { name: string | undefined; content: JsonValue } {
  if (!isRecord(item) || isFileReference(item) || bytesOf(item) !== undefined)
    return { name: undefined, content: typeof item === "string" ? null : item };
  const { name, content } = item as Record<string, JsonValue>;
  // A line break would inject a header.
  const plain = typeof name === "string" ? name.replaceAll(/\p{Cc}/gu, " ").slice(0, 200) : undefined;
  return { name: plain, content: content ?? null };
}
