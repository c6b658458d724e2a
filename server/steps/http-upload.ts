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
  return isFileReference(fields["body"]) || isGiven(fields["multipart"]) || isGiven(fields["related"]);
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
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

/** `multipart` is sent as form data, `related` as JSON and files in order. */
async function multipartBody(
  { ownerId, idempotencyKey, fields }: UploadCall,
  runFiles: Files,
): Promise<UploadBody> {
  const { related = null, multipart = null } = fields;
  if (related === null && !isRecord(multipart))
    throw invalidField("multipart", `must be an object, not ${describeValue(multipart)}`);
  // The same for every attempt, since it is part of what the idempotency key covers. No sender of content knows the key.
  const boundary = `baton-${createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 40)}`;
  const find = (id: string): Promise<FileReference> => runFiles.find(ownerId, id);
  const parts = related === null ? formParts(multipart as Record<string, JsonValue>) : relatedParts(related);
  const pieces: Piece[] = [];
  for (const { value, headers } of parts) {
    const file = isFileReference(value) ? await find(value.file) : undefined;
    const content = file ?? bytesOf(value) ?? Buffer.from(textOf(value));
    const head = [`--${boundary}`, ...headers(file), "", ""].join("\r\n");
    pieces.push(Buffer.from(head), content, Buffer.from("\r\n"));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    bytes: pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.size), 0),
    contentType: `multipart/${related === null ? "form-data" : "related"}; boundary=${boundary}`,
    fingerprint: JSON.stringify(related ?? multipart),
    open: async () => Readable.from(stream(ownerId, pieces, runFiles), { objectMode: false }),
  };
}

interface UploadPart {
  value: JsonValue;
  /** `file` is the stored file, when the value refers to one. */
  headers(file: FileReference | undefined): string[];
}

function formParts(multipart: Record<string, JsonValue>): UploadPart[] {
  return Object.entries(multipart)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item) => ({ name, value: item })),
    )
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => ({
      value,
      headers(file) {
        const disposition = `content-disposition: form-data; name="${quoted(name)}"`;
        if (file !== undefined)
          return [`${disposition}; filename="${quoted(file.name)}"`, `content-type: ${file.contentType}`];
        return bytesOf(value) === undefined
          ? [disposition]
          : [`${disposition}; filename="file"`, `content-type: ${bytesType(value)}`];
      },
    }));
}

function relatedParts(related: JsonValue): UploadPart[] {
  return (Array.isArray(related) ? related : [related]).map((value) => ({
    value,
    headers: (file) => [
      `content-type: ${file?.contentType ?? (bytesOf(value) === undefined ? "application/json; charset=utf-8" : bytesType(value))}`,
    ],
  }));
}

function bytesType(value: JsonValue): string {
  const { contentType } = value as { contentType: string };
  return /^[\w.+/-]+$/.test(contentType) ? contentType : "application/octet-stream";
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
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
