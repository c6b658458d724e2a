import { termsOf } from "../retrieve/terms.ts";
import { splitSentences } from "../ingest/sentences.ts";

/** A sentence of a model's answer and the numbers of the passages it cites, counted from 1. */
export interface Claim {
  text: string;
  passages: number[];
}

const CITATION = /\[\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\s*\]/g;

/** Parses an answer into sentences. Models write both "… to the left [2]." and "… to the left. [2]". */
export function readClaims(answer: string): Claim[] {
  const tidy = plainText(answer).replace(/([.!?])((?:\s*\[[\d\s,;]+\])+)/g, "$2$1");
  return splitSentences(tidy).map(({ start, end }) => {
    const sentence = tidy.slice(start, end);
    const numbers = [...sentence.matchAll(CITATION)].flatMap((match) =>
      (match[1] ?? "").split(/[,;]/).map(Number),
    );
    const text = sentence
      .replace(CITATION, "")
      .replace(/(?<!\s)\s+([.,;!?])/g, "$1")
      .replace(/\s+/g, " ")
      .trim();
    return { text, passages: [...new Set(numbers)] };
  });
}

/** Removes markup: a remote image in an answer would reveal the question to its host. */
function plainText(answer: string): string {
  const withoutImages = replaceClosed(answer, ")", /!\[[^[\]]*\]\([^)]*\)/g, "");
  const withoutLinks = replaceClosed(withoutImages, ")", /\[([^[\]]*)\]\([^)]*\)/g, "$1");
  return replaceClosed(withoutLinks, ">", /<\/?[a-z][^>]*>/gi, "")
    .replace(/\p{Cc}/gu, (char) => (char === "\n" ? "\n" : " "))
    .replace(/^[\s>*•#-]+/gm, "")
    .replace(/\*\*|__|`/g, "");
}

/** Before the last `closing` only: behind it, a pattern would search for one from every opening. */
function replaceClosed(text: string, closing: string, pattern: RegExp, replacement: string): string {
  const end = text.lastIndexOf(closing) + 1;
  return text.slice(0, end).replace(pattern, replacement) + text.slice(end);
}

const NEEDED_SHARE = 0.5;

/**
 * A passage supports a claim if it contains every figure and at least half of the terms of the claim. Crude, but immune
 * to prompt injection, and it always rejects an invented number.
 */
export function supports(passageText: string, claim: string): boolean {
  const figures = figuresOf(passageText);
  if ([...figuresOf(claim)].some((figure) => !figures.has(figure))) return false;
  const terms = [...new Set(termsOf(claim))];
  if (terms.length === 0) return false;
  const present = new Set(termsOf(passageText));
  return terms.filter((term) => present.has(term)).length / terms.length >= NEEDED_SHARE;
}

/** "1,200", "1 200" and "1200" are one figure; "1.5" is not "15". */
function figuresOf(text: string): Set<string> {
  const figures = text.normalize("NFKC").match(/\d+(?:[,\s]\d{3}(?!\d))*(?:[.,]\d+)?/g) ?? [];
  return new Set(figures.map((figure) => figure.replace(/[,\s](?=\d{3}(?!\d))/g, "").replace(",", ".")));
}
