import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { type FileReference, isFileReference } from "../../contract/file-reference.ts";
import type { StepCall } from "../engine/run/step-runner.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { StreamedBody } from "../security/redirects.ts";
import { bytesOf } from "./binary-value.ts";
import { describeValue, invalidField } from "./step-failure.ts";

export interface UploadBody extends StreamedBody {
  contentType: string;
  /** The same for the same content, without reading it. */
  fingerprint: string;
}

type UploadCall = Pick<StepCall, "ownerId" | "idempotencyKey" | "fields">;
type Files = Pick<RunFiles, "find" | "open">;

export function hasUpload({ fields }: Pick<StepCall, "fields">): boolean {
  const multipart = fields["multipart"];
  return isFileReference(fields["body"]) || (multipart !== undefined && multipart !== null);
}

/** The body of a request that sends files. They are streamed, and opened again for every attempt to send them. */
export async function openUpload(call: UploadCall, runFiles: Files): Promise<UploadBody> {
  const { ownerId, fields } = call;
  const body = fields["body"];
  if (!isFileReference(body)) return multipartBody(call, runFiles);
  const { file, contentType, size } = await runFiles.find(ownerId, body.file);
  return {
    bytes: size,
    contentType,
    fingerprint: file,
    open: async () => (await runFiles.open(ownerId, file)).stream,
  };
}

type Piece = Buffer | FileReference;

async function multipartBody(
  { ownerId, idempotencyKey, fields }: UploadCall,
  runFiles: Files,
): Promise<UploadBody> {
  const given = fields["multipart"];
  if (!isRecord(given)) throw invalidField("multipart", `must be an object, not ${describeValue(given)}`);
  // The same for every attempt, since it is part of what the idempotency key covers. No sender of content knows the key.
  const boundary = `baton-${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 40)}`;
  const pieces: Piece[] = [];
  for (const [name, value] of Object.entries(given as Record<string, JsonValue>))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== null) pieces.push(...(await part(name, item)));
  pieces.push(Buffer.from(`--${boundary}--\r\n`));

  async function part(name: string, value: JsonValue): Promise<Piece[]> {
    const head = (more: string): Buffer =>
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${more}\r\n\r\n`);
    const end = Buffer.from("\r\n");
    if (isFileReference(value)) {
      const file = await runFiles.find(ownerId, value.file);
      const more = `; filename="${quoted(file.name)}"\r\ncontent-type: ${file.contentType}`;
      return [head(more), file, end];
    }
    const bytes = bytesOf(value);
    if (bytes !== undefined) {
      const { contentType } = value as { contentType: string };
      const type = /^[\w.+/-]+$/.test(contentType) ? contentType : "application/octet-stream";
      return [head(`; filename="file"\r\ncontent-type: ${type}`), bytes, end];
    }
    return [head(""), Buffer.from(typeof value === "string" ? value : JSON.stringify(value)), end];
  }

  return {
    bytes: pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.size), 0),
    contentType: `multipart/form-data; boundary=${boundary}`,
    fingerprint: JSON.stringify(given),
    open: async () => Readable.from(stream(ownerId, pieces, runFiles), { objectMode: false }),
  };
}

async function* stream(
  ownerId: string,
  pieces: readonly Piece[],
  runFiles: Files,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* (await runFiles.open(ownerId, piece.file)).stream as AsyncIterable<Buffer>;
  }
}

/** As browsers do it: a quote or a line break would end the name and begin a header. */
function quoted(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
