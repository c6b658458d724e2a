import type { Multipart } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { type DocumentMetadata, documentMetadataSchema } from "../../contract/documents.ts";
import type { DocumentFiles, ReceivedFile } from "./store/document-files.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { parseJsonBody } from "../http/json-body.ts";

export interface DocumentForm {
  file: ReceivedFile;
  fileName: string;
  metadata: DocumentMetadata;
  /** The collection that the document goes into. */
  collectionId?: string;
}

interface Parts {
  file?: ReceivedFile;
  fileName: string;
  /** A field other than `file` that contains a file. */
  otherField?: string;
  metadata?: DocumentMetadata;
  collectionId?: string;
}

/**
 * Reads the parts of an upload in any order; the file is streamed to disk. The whole body is read before the response,
 * because a client that is still sending ignores it. A rejected upload leaves nothing on disk.
 */
export async function readDocumentForm(
  request: FastifyRequest,
  files: DocumentFiles,
  limitBytes: number,
): Promise<DocumentForm> {
  const parts: Parts = { fileName: "" };
  let refusal: Error | undefined;
  try {
    for await (const part of request.parts())
      await readPart(part, parts, files).catch((error: unknown) => {
        refusal ??= error as Error;
        if (part.type === "file") part.file.resume();
      });
    if (refusal !== undefined) throw refusal;
    if (parts.otherField !== undefined) throw wrongField(parts.otherField, parts.file !== undefined);
    if (parts.file === undefined) throw fileRequired();
    const { file, fileName, metadata = {}, collectionId } = parts;
    return { file, fileName, metadata, ...(collectionId !== undefined && { collectionId }) };
  } catch (error) {
    await parts.file?.discard();
    throw toUploadError(error, limitBytes);
  }
}

async function readPart(part: Multipart, parts: Parts, files: DocumentFiles): Promise<void> {
  if (part.type === "field") {
    if (part.fieldname === "collection_id" && part.value !== "") parts.collectionId = String(part.value);
    if (part.fieldname !== "metadata") return;
    if (parts.metadata !== undefined || part.valueTruncated)
      throw badMetadata("must be sent once, with at most 64 KiB");
    parts.metadata = readMetadata(part.value);
    return;
  }
  if (part.fieldname !== "file") {
    parts.otherField ??= part.fieldname;
    part.file.resume();
    return;
  }
  if (parts.file !== undefined)
    throw invalidRequest("The request has more than one file. Send one file per upload.");
  parts.file = await files.receive(part.file);
  parts.fileName = part.filename;
}

function readMetadata(value: unknown): DocumentMetadata {
  let metadata: unknown;
  try {
    metadata = typeof value === "string" && value.trim() !== "" ? parseJsonBody(value) : value || {};
  } catch {
    throw badMetadata("it is not valid JSON");
  }
  const parsed = documentMetadataSchema.safeParse(metadata);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badMetadata([issue?.path.join("."), issue?.message].filter(Boolean).join(" "));
}

function badMetadata(reason: string): AppError {
  return invalidRequest(`The field \`metadata\` is not valid: ${reason}.`, [
    { path: "metadata", message: reason },
  ]);
}

function wrongField(name: string, hasFile: boolean): AppError {
  const reason = `The field ${JSON.stringify(name)} accepts no file.`;
  return hasFile ? invalidRequest(`${reason} Send one file per upload.`) : fileRequired(reason);
}

export function fileRequired(reason = "The request has no file."): AppError {
  return new AppError("file_required", `${reason} Send it as multipart/form-data in the field \`file\`.`);
}

export function fileTooLarge(limitBytes: number): AppError {
  return new AppError(
    "payload_too_large",
    `The file is larger than ${limitBytes} bytes. Upload a smaller file.`,
  );
}

/** The parser's own errors have a status. Any other error means a body that ends early or is not multipart. */
function toUploadError(error: unknown, limitBytes: number): unknown {
  if ((error as { code?: unknown }).code === "FST_REQ_FILE_TOO_LARGE") return fileTooLarge(limitBytes);
  if (error instanceof AppError || typeof (error as { statusCode?: unknown }).statusCode === "number")
    return error;
  return invalidRequest("The multipart body is incomplete or malformed. Send it again.");
}
