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
}

interface Parts {
  file?: ReceivedFile;
  fileName: string;
  metadata?: DocumentMetadata;
}

/**
 * Reads the parts of an upload, in whatever order they come: the file goes straight to disk. Everything is
 * read before anything is refused, and nothing stays on disk when something is.
 */
export async function readDocumentForm(request: FastifyRequest, files: DocumentFiles): Promise<DocumentForm> {
  const parts: Parts = { fileName: "" };
  let refusal: Error | undefined;
  try {
    for await (const part of request.parts())
      await readPart(part, parts, files).catch((error: unknown) => {
        refusal ??= error as Error;
        if (part.type === "file") part.file.resume();
      });
    if (refusal !== undefined) throw refusal;
    if (parts.file === undefined) throw fileRequired();
    return { file: parts.file, fileName: parts.fileName, metadata: parts.metadata ?? {} };
  } catch (error) {
    await parts.file?.discard();
    throw toRefusal(error);
  }
}

async function readPart(part: Multipart, parts: Parts, files: DocumentFiles): Promise<void> {
  if (part.type === "field") {
    if (part.fieldname !== "metadata") return;
    if (parts.metadata !== undefined || part.valueTruncated)
      throw badMetadata("must be there once, and short");
    parts.metadata = readMetadata(part.value);
    return;
  }
  if (part.fieldname !== "file")
    throw invalidRequest(
      `The field ${JSON.stringify(part.fieldname)} takes no file; send the PDF as \`file\`.`,
    );
  if (parts.file !== undefined) throw invalidRequest("Send one file; two are two uploads.");
  parts.file = await files.receive(part.file);
  parts.fileName = part.filename;
}

function readMetadata(value: unknown): DocumentMetadata {
  let metadata: unknown;
  try {
    metadata = typeof value === "string" && value.trim() !== "" ? parseJsonBody(value) : value || {};
  } catch {
    throw badMetadata("is not valid JSON");
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

export function fileRequired(): AppError {
  return new AppError("file_required", "Send a PDF as multipart/form-data, in the field `file`.");
}

/** The parser's own errors have a status; what has none is a body that ends early or is no multipart at all. */
function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || typeof (error as { statusCode?: unknown }).statusCode === "number")
    return error;
  return invalidRequest("The multipart body could not be read to its end.");
}
