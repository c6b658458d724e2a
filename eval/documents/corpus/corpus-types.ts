import type { SetDocument, SetQuestion } from "../eval-set.ts";

export type Block =
  | { heading: string }
  | { text: string }
  | { list: string[] }
  | { columns: number[]; rows: string[][] }
  | { pageBreak: true };

export type Layout = "manual" | "letter" | "report" | "two-column" | "two-column-rows" | "table" | "contract";

export interface EvalDocument {
  id: string;
  title: string;
  layout: Layout;
  /** Header of every page. */
  header?: string;
  blocks: Block[];
}

/** `answer` is a substring of the document's text; the page that contains it must be found. */
export interface EvalQuestion {
  document: string;
  question: string;
  answer: string;
  /** English if missing. */
  language?: string;
}

export interface Corpus {
  /** Rendered to PDF, or given as the text of each page where the fonts of the PDF builder have no letters. */
  documents: (EvalDocument | SetDocument)[];
  questions: EvalQuestion[];
}

export function toSetQuestion({ document, question, answer, language }: EvalQuestion): SetQuestion {
  return { document, question, answers: [answer], language: language ?? "en" };
}

/** Questions about one document, each with its answer. */
export function ask(
  document: string,
  pairs: readonly [question: string, answer: string][],
  language?: string,
): EvalQuestion[] {
  return pairs.map(([question, answer]) => ({
    document,
    question,
    answer,
    ...(language !== undefined && { language }),
  }));
}

/** Variants of one document: the same text with other facts, so that each is a distractor for the others. */
export function family<Variant extends { id: string }>(
  variants: readonly Variant[],
  write: (variant: Variant) => Omit<EvalDocument, "id">,
  ask: (variant: Variant, index: number) => [question: string, answer: string][],
): { documents: EvalDocument[]; questions: EvalQuestion[] } {
  return {
    documents: variants.map((variant) => ({ id: variant.id, ...write(variant) })),
    questions: variants.flatMap((variant, index) =>
      ask(variant, index).map(([question, answer]) => ({ document: variant.id, question, answer })),
    ),
  };
}
