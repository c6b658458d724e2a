import type { File } from "node:buffer";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { receiveFile } from "../run-files/receive-form.ts";
import type { RunFiles } from "../run-files/run-files.ts";

/** Bodies that are stored as a file. Other text is refused: it is more often a mistake of the sender. */
const BINARY_MEDIA_TYPE =
  /^(?:(?:image|audio|video)\/[\w.+-]+|text\/csv|application\/(?:octet-stream|pdf|zip|gzip|x-ndjson|vnd\.(?:openxmlformats|ms-|oasis)[\w.+-]*))\s*(?:;|$)/i;

export function isBinary(contentType: unknown): contentType is string {
  return typeof contentType === "string" && BINARY_MEDIA_TYPE.test(contentType);
}

/** Stores the files of one call. */
export function createWebhookFiles(runFiles: Pick<RunFiles, "create">, ownerId: string) {
  const hashes = new Map<JsonValue, string>();

  async function store(name: string, contentType: string, bytes: Uint8Array): Promise<JsonValue> {
    const description = { name, contentType };
    const { reference, sha256 } = await receiveFile(runFiles, ownerId, description, [bytes] as never);
    hashes.set(reference, `${name} ${sha256}`);
    return reference;
  }

  return {
    save: async (file: File): Promise<JsonValue> =>
      store(file.name, file.type, new Uint8Array(await file.arrayBuffer())),
    saveBody: (contentType: string, bytes: Buffer): Promise<JsonValue> => store("body", contentType, bytes),
    /** The input with the content of files in place of their references, which differ between two deliveries of one call. */
    fingerprint: (input: JsonValue): JsonValue =>
      hashes.size === 0
        ? input
        : (JSON.parse(
            JSON.stringify(input, (_key, value: JsonValue) => hashes.get(value) ?? value),
          ) as JsonValue),
  };
}
