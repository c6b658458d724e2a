import { type Outcome, type Scores, gradesOf, scoresOf } from "./evaluate.ts";

type Row = readonly [name: string, outcomes: readonly Outcome[]];
type Grades = Parameters<typeof gradesOf>[0];

const columns: [title: string, value: (scores: Scores) => string][] = [
  ["questions", ({ questions }) => String(questions)],
  ["page-hit@1", ({ pageHitAt1 }) => percent(pageHitAt1)],
  ["page-hit@5", ({ pageHitAt5 }) => percent(pageHitAt5)],
  ["nDCG@10", ({ ndcgAt10 }) => percent(ndcgAt10)],
  ["high", ({ confidence }) => percent(confidence.high)],
  ["low", ({ confidence }) => percent(confidence.low)],
  ["none", ({ confidence }) => percent(confidence.none)],
  ["right among high", ({ rightAmongHigh }) => percent(rightAmongHigh)],
  ["answer in first quote", ({ firstQuoteHit }) => percent(firstQuoteHit)],
  ["in the answer", ({ answerHit }) => percent(answerHit)],
  ["CPU ms", ({ cpuMsPerQuestion }) => cpuMsPerQuestion.toFixed(1)],
];

/** A Markdown table with a row for each group of questions. Groups without questions are left out. */
export function printScores(rows: readonly Row[]): void {
  printRow(["%", ...columns.map(([title]) => title)]);
  printRow(["---", ...columns.map(() => "---")]);
  for (const [name, outcomes] of rows)
    if (outcomes.length > 0) printRow([name, ...columns.map(([, value]) => value(scoresOf(outcomes)))]);
}

/** The same for questions without an answer: only their confidence counts. */
export function printGrades(rows: readonly (readonly [name: string, outcomes: Grades])[]): void {
  console.log("");
  printRow(["without an answer, %", "questions", "high", "low", "none"]);
  printRow(["---", "---", "---", "---", "---"]);
  for (const [name, outcomes] of rows) {
    const { high, low, none } = gradesOf(outcomes);
    printRow([name, String(outcomes.length), percent(high), percent(low), percent(none)]);
  }
}

export function rate(count: number, ms: number): string {
  return (count / (ms / 1000)).toFixed(1);
}

export function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
