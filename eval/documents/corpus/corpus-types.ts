import type { SetQuestion } from "../eval-set.ts";

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
}

export interface Corpus {
  documents: EvalDocument[];
  questions: EvalQuestion[];
}

export function toSetQuestion({ document, question, answer }: EvalQuestion): SetQuestion {
  return { document, question, answers: [answer] };
}

/** Variants of one document: the same text with other facts, so that each is a distractor for the others. */
export function family<Variant extends { id: string }>(
  variants: readonly Variant[],
  write: (variant: Variant) => Omit<EvalDocument, "id">,
  ask: (variant: Variant, index: number) => [question: string, answer: string][],
): Corpus {
  return {
    documents: variants.map((variant) => ({ id: variant.id, ...write(variant) })),
    questions: variants.flatMap((variant, index) =>
      ask(variant, index).map(([question, answer]) => ({ document: variant.id, question, answer })),
    ),
  };
}
