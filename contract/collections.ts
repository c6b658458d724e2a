import * as z from "zod";
import { nameText, nextCursorSchema, success, text, timeSchema } from "./api.ts";

const sharedWithSchema = z
  .object({
    everyone: z.boolean().default(false).describe("Every account of this instance"),
    emails: z
      .array(text(320, 1))
      .max(200)
      .default([])
      .describe("Email addresses of accounts of this instance"),
  })
  .meta({ id: "CollectionReaders" });

const collectionName = nameText(200);

export const createCollectionSchema = z.object({
  name: collectionName,
  shared_with: sharedWithSchema.optional().describe("Only you by default"),
});
export type CreateCollection = z.output<typeof createCollectionSchema>;

export const updateCollectionSchema = z.object({
  name: collectionName.optional(),
  shared_with: sharedWithSchema.optional().describe("Replaces the former readers"),
});
export type UpdateCollection = z.output<typeof updateCollectionSchema>;

const collectionShape = {
  collection_id: z.string(),
  name: z.string(),
  documents: z.number().int().describe("Number of documents in it"),
  access: z
    .enum(["owner", "reader"])
    .describe("A reader can view, cite and ask the documents, and change nothing"),
  owner_name: z.string(),
  shared_with: sharedWithSchema.nullable().describe("Null for readers"),
  has_upload_key: z.boolean().describe("Whether documents can be sent to its upload address"),
  created_at: timeSchema,
};

export const collectionSchema = z.object(collectionShape).meta({ id: "Collection" });
export type CollectionView = z.infer<typeof collectionSchema>;

export const collectionResponseSchema = success(collectionShape);
export const collectionListResponseSchema = success({
  collections: z.array(collectionSchema),
  next_cursor: nextCursorSchema,
  nextCursor: nextCursorSchema.describe("The same value under the name that every other list uses"),
});

export const uploadKeyResponseSchema = success({
  upload_key: z.string().describe("Shown once; send it in the x-upload-key header"),
  upload_url: z.string(),
});

export const deleteCollectionQuerySchema = z.object({
  documents: z
    .enum(["keep", "delete"])
    .default("keep")
    .describe("`delete` also deletes the documents in it; they stay by default"),
});
