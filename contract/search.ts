import * as z from "zod";
import { queryNumber, success, text, timeSchema } from "./api.ts";

export const searchTypes = ["workflow", "run", "document", "agent", "team", "connection"] as const;
export type SearchType = (typeof searchTypes)[number];

const isSearchType = (type: string): type is SearchType => (searchTypes as readonly string[]).includes(type);

export const searchQuerySchema = z.object({
  q: text(200)
    .default("")
    .describe(
      "Words, each of which must occur in the record. The end of a word may be missing; a word of four letters or more may have a typing error.",
    ),
  types: text(200)
    .default("")
    .transform((list) => [
      ...new Set(
        list
          .split(",")
          .map((type) => type.trim())
          .filter((type) => type !== ""),
      ),
    ])
    .refine((types) => types.every(isSearchType), `must be a list of ${searchTypes.join(", ")}`)
    .transform((types): readonly SearchType[] =>
      types.length === 0 ? searchTypes : types.filter(isSearchType),
    )
    .describe(`Comma-separated: ${searchTypes.map((type) => `\`${type}\``).join(", ")}. Without it, all`),
  limit: queryNumber().min(1).max(50).default(20).describe("Maximum number of results"),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

export const matchedFields = [
  "name",
  "folder",
  "tag",
  "step",
  "description",
  "id",
  "workflow",
  "error",
  "input",
  "text",
] as const;
export type MatchedField = (typeof matchedFields)[number];

export const searchResultSchema = z
  .object({
    type: z.enum(searchTypes),
    id: z.string(),
    title: z.string().describe("The name of the record; that of its workflow for a run"),
    matched: z.enum(matchedFields).describe("Where the words were found"),
    excerpt: z
      .string()
      .optional()
      .describe("The text that was found: the folder, the step, the error, a passage of the document"),
    page: z.int().optional().describe("The page of a passage of a document"),
    status: z.string().optional().describe("Of a run"),
    createdAt: timeSchema.optional().describe("Of a run"),
  })
  .meta({ id: "SearchResult" });
export type SearchResult = z.infer<typeof searchResultSchema>;

export const searchResponseSchema = success({ results: z.array(searchResultSchema) });
