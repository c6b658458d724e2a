import type { Confidence } from "../../contract/documents.ts";
import type { Scores } from "./evaluate.ts";

export function printScores(name: string, scores: Scores): void {
  console.log(`\n${name}, ${scores.questions} questions`);
  console.log(
    `  page-hit@1 ${percent(scores.pageHitAt1)}  page-hit@5 ${percent(scores.pageHitAt5)}  nDCG@10 ${percent(scores.ndcgAt10)}`,
  );
  console.log(
    `  confidence ${grades(scores.confidence)}  right among high ${percent(scores.rightAmongHigh)}  wrongly refused ${percent(scores.wronglyRefused)}`,
  );
  console.log(
    `  answer in first quote ${percent(scores.firstQuoteHit)}  in the answer ${percent(scores.answerHit)}`,
  );
  console.log(`  CPU ms per question ${scores.cpuMsPerQuestion.toFixed(1)}`);
}

export function printGrades(name: string, questions: number, shares: Record<Confidence, number>): void {
  console.log(`\n${name}, ${questions} questions\n  confidence ${grades(shares)}`);
}

export function rate(count: number, ms: number): string {
  return (count / (ms / 1000)).toFixed(1);
}

function grades({ high, low, none }: Record<Confidence, number>): string {
  return `high ${percent(high)} low ${percent(low)} none ${percent(none)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
