import * as z from "zod";
import { nextCursorSchema, pageQuery, success } from "./api.ts";

const path = z
  .string()
  .max(20_000)
  .describe("Names below your folder, joined by `/`; the folder itself is `/` or empty");

export const fileQuerySchema = z.object({ path });
export const fileListQuerySchema = // A name may have 255 characters.
  pageQuery(/^[01]/, 300).extend({ path: path.default("") });

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
