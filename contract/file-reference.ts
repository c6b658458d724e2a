import { isRecord } from "./placeholders/json-value.ts";

/** A file between steps. Without zod: the page loads this file. */
export type FileReference = {
  file: string;
  name: string;
  /** By its content where that is known, else as declared. */
  contentType: string;
  /** In bytes. */
  size: number;
};

const FILE_ID = /^file_[0-9a-z]{29}$/;
const FIELDS = new Set(["file", "name", "contentType", "size"]);

/** True for an object that names a file by its id. The other fields are for people: the stored ones count. */
export function isFileReference(value: unknown): value is FileReference {
  if (!isRecord(value)) return false;
  const id: unknown = value["file"];
  return typeof id === "string" && FILE_ID.test(id) && Object.keys(value).every((key) => FIELDS.has(key));
}

const QUOTED_ID = /"(file_[0-9a-z]{29})"/g;

/** The ids of files in a JSON text. Cheap for a text without any. */
export function fileIdsIn(json: string): string[] {
  if (!json.includes('"file_')) return [];
  return [...new Set(Array.from(json.matchAll(QUOTED_ID), ([, id]) => id!))];
}
