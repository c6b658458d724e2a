import type { Starter } from "./starter.ts";

export const csvToExcel: Starter = {
  id: "csv-to-excel",
  name: "Turn a CSV into an Excel file",
  description:
    "Reads a CSV and writes its rows into an Excel file, which can be downloaded from the run. The input csv is text or a file; without one it uses a small example.",
  category: "data",
  metadata: {
    steps: [
      {
        stepId: "source",
        type: "transform",
        name: "Take the CSV",
        expression: 'input.csv ? input.csv : "id,name,total\n1,Ada,30\n2,Ben,12\n"',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "rows",
        type: "convert",
        name: "Read its rows",
        operation: "read",
        format: "csv",
        input: "{{steps.source.output}}",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "workbook",
        type: "convert",
        name: "Write an Excel file",
        operation: "write",
        format: "xlsx",
        fileName: "rows.xlsx",
        input: "{{steps.rows.output}}",
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "source-rows", source: "source", target: "rows" },
      { id: "rows-workbook", source: "rows", target: "workbook" },
    ],
  },
};
