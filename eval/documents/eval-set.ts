import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";

const text = z.string().min(1);

const setDocument = z
  .object({
    id: text,
    title: text,
    /** The text of each page. */
    pages: z.array(z.string()).min(1).optional(),
    /** Instead of pages: a file, relative to the set. */
    file: text.optional(),
  })
  .refine(({ pages, file }) => (pages === undefined) !== (file === undefined), {
    message: "A document has either pages or a file.",
  });

const setQuestion = z.object({
  question: text,
  /** Without it, every page of the set that contains an answer is right. */
  document: text.optional(),
  /** Right pages, counted from 1. Without them, every page of the document that contains an answer is right. */
  pages: z.array(z.number().int().positive()).min(1).optional(),
  /** Texts of which an answer must contain one. */
  answers: z.array(text).optional(),
  answerable: z.boolean().optional(),
  language: text.optional(),
});

const evalSet = z.object({
  name: text,
  documents: z.array(setDocument).min(1),
  questions: z.array(setQuestion).min(1),
});

export type SetDocument = z.infer<typeof setDocument>;
export type SetQuestion = z.infer<typeof setQuestion>;
export type EvalSet = z.infer<typeof evalSet>;

/** Reads a set, resolves its file names and checks that its questions name documents of the set. */
export async function readEvalSet(path: string): Promise<EvalSet> {
  const { name, documents, questions } = evalSet.parse(JSON.parse(await readFile(path, "utf8")));
  const ids = new Set(documents.map(({ id }) => id));
  if (ids.size !== documents.length) throw new Error(`${path}: two documents have the same id.`);
  for (const { document, question } of questions)
    if (document !== undefined && !ids.has(document))
      throw new Error(`${path}: "${question}" names the unknown document ${document}.`);
  return {
    name,
    documents: documents.map(({ file, ...document }) => ({
      ...document,
      ...(file !== undefined && { file: resolve(dirname(path), file) }),
    })),
    questions,
  };
}
