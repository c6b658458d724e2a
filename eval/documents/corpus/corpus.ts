import { articles } from "./articles.ts";
import { coffeeMachines } from "./coffee-machines.ts";
import type { Corpus } from "./corpus-types.ts";
import { handbooks } from "./handbooks.ts";
import { leases } from "./leases.ts";
import { letters } from "./letters.ts";
import { minutes } from "./minutes.ts";
import { pumps } from "./pumps.ts";
import { tables } from "./tables.ts";
import { waterReports } from "./water-reports.ts";

const parts = [pumps, coffeeMachines, handbooks, leases, waterReports, letters, tables, articles, minutes];

export const corpus: Corpus = {
  documents: parts.flatMap((part) => part.documents),
  questions: parts.flatMap((part) => part.questions),
};
