import { type File, isUtf8 } from "node:buffer";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";

const FORM_MEDIA_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;

const MAX_FIELDS = 1_000;

/** A field that occurs several times is a list. */
export type FormFields = Record<string, JsonValue>;

export function isForm(contentType: unknown): contentType is string {
  return typeof contentType === "string" && FORM_MEDIA_TYPE.test(contentType);
}

/** Counted before the form is parsed: a body of a megabyte has up to half a million fields. */
export function hasTooManyFields(body: Buffer, separator = "&"): boolean {
  let count = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length))
    if (++count > MAX_FIELDS) return true;
  return false;
}

/** The fields of a form. Files are passed to `save`, whose result takes their place. */
export async function parseForm(
  contentType: string,
  body: Buffer,
  save: (file: File) => Promise<JsonValue>,
): Promise<FormFields> {
  return toFields(
    /^multipart/i.test(contentType) ? await readMultipart(contentType, body, save) : readUrlEncoded(body),
  );
}

function readUrlEncoded(body: Buffer): [string, string][] {
  if (hasTooManyFields(body)) throw tooManyFields();
  const text = body.toString("utf8");
  try {
    // URLSearchParams replaces invalid UTF-8 silently; decodeURIComponent throws.
    decodeURIComponent(text);
  } catch {
    throw invalidForm();
  }
  if (!isUtf8(body)) throw invalidForm();
  return [...new URLSearchParams(text)];
}

async function readMultipart(
  contentType: string,
  body: Buffer,
  save: (file: File) => Promise<JsonValue>,
): Promise<[string, JsonValue][]> {
  // Every part has this in a header. A file may well contain the words "form-data".
  if (hasTooManyFields(body, 'form-data; name="')) throw tooManyFields();
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch {
    throw invalidForm();
  }
  const parts = [...form];
  // Before a file is stored: other versions of Node may accept other spellings of the header.
  if (parts.length > MAX_FIELDS) throw tooManyFields();
  const entries: [string, JsonValue][] = [];
  let hasFile = false;
  for (const [name, value] of parts) {
    if (typeof value !== "string") hasFile = true;
    entries.push([name, typeof value === "string" ? value : await save(value)]);
  }
  // Files have any bytes; without one, all bytes are text.
  if (!hasFile && !isUtf8(body)) throw invalidForm();
  return entries;
}

function toFields(entries: [string, JsonValue][]): FormFields {
  if (entries.length > MAX_FIELDS) throw tooManyFields();
  const fields = new Map<string, JsonValue>();
  for (const [name, value] of entries) {
    // Copying an object with such a key would change its prototype.
    if (name === "__proto__")
      throw invalidRequest("The form has a field named __proto__, which is not allowed.");
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}

function tooManyFields(): AppError {
  return invalidRequest(`The form has more than ${MAX_FIELDS} fields.`);
}

function invalidForm(): AppError {
  return invalidRequest("The body is not a valid form in UTF-8.");
}
