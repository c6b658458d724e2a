import * as z from "zod";
import {
  emptyAsAbsent,
  nameText,
  nextCursorSchema,
  pageQuerySchema,
  success,
  text,
  timeSchema,
} from "./api.ts";

/** The `metadata` field of an upload, as JSON text. Other keys are stored unchanged. */
export const documentMetadataSchema = z.looseObject({
  title: nameText(300).optional(),
  tags: z.array(text(100, 1)).max(50).optional(),
});
export type DocumentMetadata = z.infer<typeof documentMetadataSchema>;

export const documentStatusSchema = z.enum(["processing", "indexed", "failed"]);

const documentShape = {
  document_id: z.string(),
  title: z.string(),
  media_type: z.string().describe("By its content: `application/pdf`, `text/html` …"),
  tags: z.array(z.string()),
  metadata: z.looseObject({}).describe("As it was uploaded"),
  pages: z.number().int(),
  pages_done: z.number().int().describe("Pages read so far; less than `pages` while processing"),
  ocr_pages: z
    .number()
    .int()
    .describe("While processing: scanned pages whose text is being recognized; otherwise 0"),
  ocr_pages_done: z.number().int(),
  pages_without_text: z
    .array(z.number().int())
    .describe("Pages that contain only images: their content cannot be searched"),
  chunks: z.number().int(),
  chunks_done: z.number().int(),
  bytes: z.number().int(),
  status: documentStatusSchema,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  needs_reindex: z
    .boolean()
    .describe("Its vectors are from another embedding model; POST /api/v1/documents/reindex replaces them"),
  created_at: timeSchema,
};

export const documentSchema = z.object(documentShape).meta({ id: "Document" });
export type DocumentView = z.infer<typeof documentSchema>;

export const uploadResponseSchema = success({
  document_id: z.string(),
  chunks_created: z.number().int(),
  status: z.enum(["processing", "indexed"]),
});

/** For the API documentation only: the route reads the parts as a stream. */
export const uploadFormSchema = z.object({
  file: z
    .string()
    .meta({ format: "binary" })
    .describe(
      "PDF, DOCX, PPTX, XLSX, EPUB, HTML, Markdown, plain text, email (.eml) or CSV, recognized by its content",
    ),
  metadata: z.string().optional().describe('JSON text: {"title": "…", "tags": ["…"]}, both optional'),
  collection_id: z.string().optional().describe("One of your collections, into which the document goes"),
});

export const documentUrlSchema = z.object({
  url: text(2000, 1).describe("http or https; redirects are followed"),
  metadata: documentMetadataSchema.optional(),
  collection_id: z.string().optional().describe("One of your collections, into which the document goes"),
});

export const updateDocumentSchema = z.object({
  tags: z
    .array(
      text(200)
        .transform((tag) => tag.trim())
        .pipe(text(100, 1)),
    )
    .max(50)
    .transform((tags) => [...new Set(tags)])
    .describe("Replaces the tags"),
});

const yesNo = z.enum(["true", "false"]).optional();
export const uploadQuerySchema = z.object({
  async: yesNo.describe("`true` returns 202 at once; GET the document for its progress"),
});
export const reindexQuerySchema = z.object({ async: yesNo.describe("`true` returns 202 at once") });
export const reindexResponseSchema = success({
  documents: z.number().int().describe("Number of documents to embed again"),
  status: z.enum(["processing", "indexed"]),
});

export const documentListQuerySchema = pageQuerySchema.extend({
  tag: z.string().max(100).optional(),
  collection_id: emptyAsAbsent(z.string().max(200)).describe("Only the documents of this collection"),
});
export const documentListResponseSchema = success({
  documents: z.array(documentSchema),
  next_cursor: nextCursorSchema,
  nextCursor: nextCursorSchema.describe("The same value under the name that every other list uses"),
});
export const documentResponseSchema = success(documentShape);

const boxSchema = z
  .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
  .describe("In points, from the page's upper left corner")
  .meta({ id: "Box" });

export const chunkResponseSchema = success({
  chunk_id: z.string(),
  document_id: z.string(),
  title: z.string(),
  page: z.number().int().describe("The page where it begins"),
  text: z.string(),
  spans: z.array(
    z.object({
      page: z.number().int(),
      start: z.number().int(),
      end: z.number().int(),
      boxes: z.array(boxSchema),
    }),
  ),
});

export const documentPageResponseSchema = success({
  document_id: z.string(),
  title: z.string(),
  page: z.number().int(),
  pages: z.number().int().describe("Number of pages of the document"),
  location: z.string().optional().describe("The page in words, in a file without printed pages"),
  text: z.string().describe("Offsets of quotes refer to it"),
});

export const QUERY_MAX_CHARACTERS = 4000;
/** A longer answer of a model is cut. */
export const MAX_ANSWER_CHARACTERS = 20_000;

const questionSchema = text(QUERY_MAX_CHARACTERS, 1).refine(
  (query) => query.trim() !== "",
  "must not be empty",
);

export const documentQuerySchema = z.object({
  query: questionSchema,
  history: z
    .array(z.object({ question: questionSchema, answer: text(MAX_ANSWER_CHARACTERS) }))
    .max(20)
    .optional()
    .describe(
      "Earlier questions and answers, oldest first: a follow-up like `and in 2024?` is resolved with them",
    ),
  document_ids: z
    .array(z.string().max(200))
    .max(1000)
    .optional()
    .describe("All of your documents by default"),
  collection_ids: z
    .array(z.string().max(200))
    .max(100)
    .optional()
    .describe("The documents of these collections, in addition to `document_ids`"),
  tags: z
    .array(z.string().max(100))
    .max(50)
    .optional()
    .describe("Only documents with at least one of these tags"),
  top_k: z.number().int().min(1).max(50).default(5).describe("Number of passages to use"),
});

const sourceSchema = z
  .object({
    chunk_id: z.string(),
    document_id: z.string(),
    title: z.string(),
    page: z.number().int().describe("The page, slide or sheet, counted from 1"),
    location: z
      .string()
      .optional()
      .describe("The page in words, in a file without printed pages: `slide 3`, `section Refunds`"),
    relevance: z.number().min(0).max(1).describe("Absolute: comparable between questions"),
    quote: z.string().describe("Word for word from the page"),
    start: z.number().int().describe("Offset of the quote in the text of the page"),
    end: z.number().int(),
    boxes: z.array(boxSchema).describe("Position of the quote on the page, one box per line"),
    highlights: z
      .array(z.object({ start: z.number().int(), end: z.number().int() }))
      .describe("Ranges of the quote that are probably the answer; often empty"),
  })
  .meta({ id: "DocumentSource" });
export type DocumentSource = z.infer<typeof sourceSchema>;

export const confidenceSchema = z.enum(["high", "low", "none"]);
export type Confidence = z.infer<typeof confidenceSchema>;

export const documentQueryResponseSchema = success({
  answer: z.string(),
  resolved_query: z
    .string()
    .describe("The question that was answered: `query`, or a complete question if it was a follow-up"),
  confidence: confidenceSchema.describe(
    "`high`: the passages answer the question; `low`: no passage clearly answers it, the sources are the closest; `none`: nothing is near",
  ),
  sources: z.array(sourceSchema).describe("Best first; empty when `confidence` is `none`"),
  answered_by: z.string().describe("The model's id, `extractive`, or `none`"),
});

export const documentQueryStreamSchema = z.object({
  stream: yesNo.describe("`true` answers with server-sent events, like `Accept: text/event-stream`"),
});

/** The events of a streamed answer, in order. `finished` or `failed` is the last. */
export const documentQueryEventSchema = z
  .discriminatedUnion("event", [
    z
      .object({
        event: z.literal("sources"),
        resolved_query: z.string(),
        sources: z
          .array(sourceSchema)
          .describe("What the text may cite, by number; a later event replaces them"),
      })
      .meta({ id: "AnswerSourcesEvent" }),
    z.object({ event: z.literal("text"), text: z.string() }).meta({ id: "AnswerTextEvent" }),
    documentQueryResponseSchema.extend({ event: z.literal("finished") }).meta({ id: "AnswerFinishedEvent" }),
    z
      .object({ event: z.literal("failed"), error: z.string(), message: z.string() })
      .meta({ id: "AnswerFailedEvent" }),
  ])
  .meta({ id: "AnswerEvent" });
export type DocumentQueryEvent = z.infer<typeof documentQueryEventSchema>;

const hosts = z.array(z.string());
const textDestinationsSchema = z.object({
  files: hosts.describe("Store the files"),
  embedding: hosts.describe("Receive the text of every document and question"),
  answers: hosts.describe("Receive questions and the passages that answer them"),
  answer_model: z.boolean().describe("Whether a model writes answers; otherwise they are quotes"),
});
export type TextDestinations = z.infer<typeof textDestinationsSchema>;
export const textDestinationsResponseSchema = success({ destinations: textDestinationsSchema });
