import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { parseAnyJsonText, UNREADABLE_JSON } from "../lib/untrusted-json.ts";
import type { FileDescription, RunFiles } from "./run-files.ts";

/** A part of a multipart body, as the parser gives it. */
export type FormPart =
  | { type: "field"; fieldname: string; value: unknown; valueTruncated?: boolean }
  | { type: "file"; fieldname: string; filename?: string; mimetype?: string; file: Readable };

export interface ReceivedForm {
  input: Record<string, JsonValue>;
  /** The same for the same fields and bytes, to recognize repeated calls: references differ. */
  fingerprint: JsonValue;
}

/** The hash recognizes repeated calls. */
export async function receiveFile(
  runFiles: Pick<RunFiles, "create">,
  ownerId: string,
  description: FileDescription,
  source: AsyncIterable<Uint8Array>,
): Promise<{ reference: JsonValue; sha256: string }> {
  const hash = createHash("sha256");
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const reference = await runFiles.create({ ownerId, taskId: null }, description, hashed());
  return { reference, sha256: hash.digest("hex") };
}

/**
 * The input of a run from a multipart body: the part `input` is JSON, every other field is text, and files are stored as
 * they arrive. A name that occurs several times is a list. All fields together are limited like a body of JSON.
 */
export async function receiveForm(
  parts: AsyncIterable<FormPart>,
  ownerId: string,
  runFiles: Pick<RunFiles, "create">,
  maxTextBytes = Number.POSITIVE_INFINITY,
): Promise<ReceivedForm> {
  let textBytes = 0;
  const fields = new Map<string, JsonValue[]>();
  const hashedFiles: JsonValue[] = [];
  let given: Record<string, JsonValue> = {};
  const add = (name: string, value: JsonValue): void => {
    if (name === "__proto__")
      throw invalidRequest("The form has a field named __proto__, which is not allowed.");
    fields.set(name, [...(fields.get(name) ?? []), value]);
  };
  try {
    for await (const part of parts) {
      const text = part.type === "field" ? String(part.value) : "";
      textBytes += Buffer.byteLength(part.fieldname) + Buffer.byteLength(text);
      if (textBytes > maxTextBytes) throw tooMuchText(maxTextBytes);
      if (part.type === "file") {
        // A file field that was left empty is sent without a name and content.
        if (part.filename === undefined || part.filename === "") {
          part.file.resume();
          continue;
        }
        const description = { name: part.filename, contentType: part.mimetype };
        const { reference, sha256 } = await receiveFile(runFiles, ownerId, description, part.file);
        add(part.fieldname, reference);
        hashedFiles.push([part.fieldname, part.filename, sha256]);
      } else if (part.valueTruncated === true) throw invalidRequest("A field of the form is too long.");
      else if (part.fieldname === "input") given = await inputOf(text);
      else add(part.fieldname, text);
    }
  } catch (error) {
    throw error instanceof AppError || typeof (error as { statusCode?: unknown }).statusCode === "number"
      ? error
      : invalidRequest("The multipart body is incomplete or malformed. Send it again.");
  }
  const added = [...fields].map(([name, values]): [string, JsonValue] => [
    name,
    values.length === 1 ? values[0]! : values,
  ]);
  const texts = added.flatMap(([name, value]) => {
    const parts = [value].flat().filter((each) => typeof each === "string");
    return parts.length === 0 ? [] : [[name, typeof value === "string" ? value : parts]];
  });
  return { input: { ...given, ...Object.fromEntries(added) }, fingerprint: [given, texts, hashedFiles] };
}

/** Fields are kept in memory: 200 of a megabyte each would be a call of 200 MB. */
function tooMuchText(maxTextBytes: number): AppError {
  return new AppError(
    "payload_too_large",
    `The fields of the form are larger than ${maxTextBytes} bytes together. Send large contents as files.`,
  );
}

async function inputOf(text: string): Promise<Record<string, JsonValue>> {
  const value = await parseAnyJsonText(text);
  if (value === undefined) throw invalidRequest(`The field \`input\` ${UNREADABLE_JSON}.`);
  if (!isRecord(value)) throw invalidRequest("The field `input` is not a JSON object.");
  return value as Record<string, JsonValue>;
}
