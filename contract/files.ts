import * as z from "zod";
import { emptyAsAbsent, nextCursorSchema, pageQuerySchema, success, text } from "./api.ts";

const path = z
  .string()
  .max(20_000)
  .describe("Names below your folder, joined by `/`; the folder itself is `/` or empty");

export const fileQuerySchema = z.object({ path });
export const fileListQuerySchema = pageQuerySchema.extend({
  path: path.default(""),
  // A name may have 255 characters.
  cursor: emptyAsAbsent(text(300)).describe("`nextCursor` of the previous page"),
});

export const fileEntrySchema = z
  .object({
    name: z.string(),
    path: z.string(),
    kind: z.enum(["file", "folder"]),
    bytes: z.int().describe("0 for a folder"),
  })
  .meta({ id: "File" });
export type FileView = z.infer<typeof fileEntrySchema>;

export const fileListResponseSchema = success({
  files: z.array(fileEntrySchema),
  nextCursor: nextCursorSchema,
});
