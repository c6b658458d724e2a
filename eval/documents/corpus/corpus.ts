import { createHash } from "node:crypto";
import { annualReports } from "./annual-reports.ts";
import { articles } from "./articles.ts";
import { coffeeMachines } from "./coffee-machines.ts";
import type { Corpus, EvalQuestion } from "./corpus-types.ts";
import { corvaneReport } from "./corvane-report.ts";
import { arabic } from "./everyday/arabic.ts";
import { chinese } from "./everyday/chinese.ts";
import { german } from "./everyday/german.ts";
import { guides } from "./everyday/guides.ts";
import { japanese } from "./everyday/japanese.ts";
import { aboutKnownDocuments } from "./everyday/known-documents.ts";
import { russian } from "./everyday/russian.ts";
import { spanish } from "./everyday/spanish.ts";
import { halvardReport } from "./halvard-report.ts";
import { handbooks } from "./handbooks.ts";
import { leases } from "./leases.ts";
import { letters } from "./letters.ts";
import { lists } from "./lists.ts";
import { minutes } from "./minutes.ts";
import { pumps } from "./pumps.ts";
import { statements } from "./statements.ts";
import { tables } from "./tables.ts";
import { waterReports } from "./water-reports.ts";

const plain = [pumps, coffeeMachines, handbooks, leases, waterReports, letters, tables, articles, minutes];
const everyday = [guides, german, spanish, russian, chinese, japanese, arabic];
const figures = [statements, lists];
const companies = [annualReports, halvardReport, corvaneReport];

/** Documents, and questions that share words with the page. */
export const corpus: Corpus = {
  documents: [...plain, ...everyday, ...figures].flatMap((part) => part.documents),
  questions: plain.flatMap((part) => part.questions),
};

/** Questions in other words than those of the page. */
export const paraphrases: EvalQuestion[] = [
  ...aboutKnownDocuments,
  ...everyday.flatMap((part) => part.questions),
];

/** Questions whose answer is a cell of a table. */
export const tableQuestions: EvalQuestion[] = figures.flatMap((part) => part.questions);

/** Annual and quarterly reports, asked about inside the document. They are no part of the searched library. */
export const reports: Corpus = {
  documents: companies.flatMap((part) => part.documents),
  questions: companies.flatMap((part) => part.questions),
};

/**
 * Thresholds and weights are chosen on `tune` and figures are reported on `report`. A question's text decides, so a new
 * question never moves another one.
 */
export type Half = "tune" | "report";

export function halfOf({ question }: { question: string }): Half {
  return (createHash("sha256").update(question).digest()[0] ?? 0) % 2 === 0 ? "tune" : "report";
}
