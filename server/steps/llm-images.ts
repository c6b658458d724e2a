import { buffer } from "node:stream/consumers";
import { isFileReference } from "../../contract/file-reference.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { FileStores } from "../lib/file-store.ts";
import type { ModelImage } from "../models/language-model.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { Egress } from "../security/egress.ts";
import { bytesOf } from "./binary-value.ts";
import { toFileFailure } from "./file-failure.ts";
import { namesOf } from "./file-path.ts";
import { describeValue, invalidField, permanentFailure } from "./step-failure.ts";

export interface ImageSources {
  egress: Pick<Egress, "fetch">;
  files: FileStores;
  runFiles: Pick<RunFiles, "find" | "open">;
}

const MAX_IMAGES = 10;
/** What every vendor accepts. */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const DATA_URL = /^data:[\w./+-]*;base64,/i;
const WEB_URL = /^https?:\/\//i;

/**
 * Loads the images of a step: from the web through the egress guard, from files of earlier steps, from the owner's files, or
 * from the value itself.
 */
export async function loadImages(
  value: JsonValue | undefined,
  ownerId: string,
  { egress, files, runFiles }: ImageSources,
  signal: AbortSignal,
): Promise<ModelImage[]> {
  if (value === undefined || value === null || value === "") return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_IMAGES) throw invalidField("images", `has more than ${MAX_IMAGES} images`);
  const images: ModelImage[] = [];
  // One after the other: in parallel, a step could hold all of them twice.
  for (const item of list) images.push(toImage(await load(item)));
  return images;

  async function load(item: JsonValue): Promise<Buffer> {
    if (isFileReference(item)) return loadRunFile(item.file);
    if (typeof item !== "string" || item === "") {
      const bytes = bytesOf(item);
      if (bytes === undefined)
        throw invalidField(
          "images",
          `must be URLs, data URLs, paths or files of earlier steps, not ${describeValue(item)}`,
        );
      return bytes;
    }
    if (DATA_URL.test(item)) return Buffer.from(item.slice(item.indexOf(",") + 1), "base64");
    if (WEB_URL.test(item)) {
      const { status, body } = await egress.fetch(item, { maxBytes: MAX_IMAGE_BYTES, signal });
      if (status !== 200)
        throw new AppError(
          "http_error",
          `An image could not be loaded: the server responded with ${status}.`,
        );
      return body;
    }
    return files
      .area("files", ownerId)
      .read(namesOf(item).join("/"), MAX_IMAGE_BYTES)
      .catch((error: unknown) => {
        throw toFileFailure(error);
      });
  }

  async function loadRunFile(fileId: string): Promise<Buffer> {
    try {
      // The size as stored, before a byte is read: what the reference says is not trusted.
      if ((await runFiles.find(ownerId, fileId)).size > MAX_IMAGE_BYTES) throw tooLarge();
      return await buffer((await runFiles.open(ownerId, fileId)).stream);
    } catch (error) {
      throw toFileFailure(error);
    }
  }
}

function toImage(bytes: Buffer): ModelImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge();
  const mediaType = imageTypeOf(bytes);
  if (mediaType === undefined) throw invalidField("images", "must be PNG, JPEG, GIF or WebP images");
  return { mediaType, bytes };
}

/** By the first bytes: a name or a header may be wrong, and the vendor rejects the whole request then. */
function imageTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(head) ? "image/webp" : undefined;
}

function tooLarge(): AppError {
  return permanentFailure("file_too_large", `An image is larger than the limit of ${MAX_IMAGE_BYTES} bytes.`);
}
