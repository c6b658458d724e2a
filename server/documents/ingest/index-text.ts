import { lineItemTerms } from "../retrieve/line-items.ts";
import { statementTerms } from "../retrieve/statements.ts";
import { termsOf } from "../retrieve/terms.ts";

/** The parts of a chunk that a search can find it by. */
export interface IndexedText {
  text: string;
  /** The headings above the text. */
  heading?: string | undefined;
}

/**
 * The text that is embedded and indexed for a chunk. The title distinguishes the same sentence in two manuals, the
 * headings the same sentence in two chapters.
 */
export function indexText(title: string, { text, heading }: IndexedText): string {
  return heading ? `${title}\n${heading}\n${text}` : `${title}\n${text}`;
}

/** The indexed terms of a chunk, with those of the financial statements that it is part of and of the lines it names. */
export function indexTerms(title: string, chunk: IndexedText): string[] {
  const text = indexText(title, chunk);
  return [...termsOf(text), ...statementTerms(chunk), ...lineItemTerms(text)];
}
