import * as z from "zod";
import { isRecord } from "./placeholders/json-value.ts";

/** A file between steps: the value that travels through the graph in place of the bytes. */
export const fileReferenceSchema = z
  .object({
    file: z.string().describe("The id of the file"),
    name: z.string(),
    contentType: z.string().describe("By its content where that is known, else as declared"),
    size: z.int().describe("In bytes"),
  })
  .meta({ id: "FileReference" });
export type FileReference = z.infer<typeof fileReferenceSchema>;

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

export const runFileParamsSchema = z.object({ id: z.string() });
