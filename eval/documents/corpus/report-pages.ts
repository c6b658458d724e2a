import type { Block } from "./corpus-types.ts";

/** A page of a report with its heading. */
export const page = (heading: string, ...blocks: Block[]): Block[] => [
  { heading },
  ...blocks,
  { pageBreak: true },
];
export const text = (...paragraphs: string[]): Block[] =>
  paragraphs.map((paragraph) => ({ text: paragraph }));
export const table = (columns: number[], ...rows: string[][]): Block => ({ columns, rows });
