/** Numbers by which an answer cites its sources: `[2]` or `[1, 3]`. */
const CITATION = /\[(\d{1,3}(?:, ?\d{1,3})*)\]/;

/** The text of an answer and, between its pieces, the numbers that are cited there. */
export function splitCitations(answer: string): (string | number[])[] {
  return answer.split(CITATION).map((part, i) => (i % 2 === 0 ? part : part.split(",").map(Number)));
}

/** All numbers that an answer cites, counted from 1. */
export function citedNumbers(answer: string): Set<number> {
  return new Set(splitCitations(answer).flatMap((part) => (typeof part === "string" ? [] : part)));
}
