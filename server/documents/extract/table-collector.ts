import { tableLines } from "./table-rows.ts";

/** Collects the cells of tables while a document is read element by element. */
export interface TableCollector {
  isInCell(): boolean;
  addText(text: string): void;
  /** `table`, `tr`, `td` or `th`; other names are ignored. */
  open(name: string): void;
  close(name: string): void;
  /** The row that is open is a header, by its own mark. */
  markHeader(): void;
}

interface OpenTable {
  rows: string[][];
  /** Cells of the first row that are marked as header. */
  headerCells: number;
  isHeaderMarked: boolean;
  isInCell: boolean;
}

/** A table inside a cell is text of that cell. */
export function createTableCollector(addLine: (line: string) => void): TableCollector {
  const tables: OpenTable[] = [];

  /** In a table without marks, the first row names the columns if there are more than two. */
  function end({ rows, headerCells, isHeaderMarked }: OpenTable): void {
    const first = rows.find((row) => row.length > 0) ?? [];
    const isMarked = isHeaderMarked || headerCells === first.length;
    const hasHeader = first.some(isName) && (isMarked || first.length > 2);
    const outer = tables.at(-1);
    for (const line of tableLines(rows, hasHeader)) {
      if (outer?.isInCell) addTo(outer, line);
      else addLine(line);
    }
  }

  return {
    isInCell: () => tables.at(-1)?.isInCell === true,
    addText(text) {
      const table = tables.at(-1);
      if (table) addTo(table, text);
    },
    open(name) {
      if (name === "table") tables.push({ rows: [], headerCells: 0, isHeaderMarked: false, isInCell: false });
      const table = tables.at(-1);
      if (!table) return;
      if (name === "tr") table.rows.push([]);
      if (name === "td" || name === "th") {
        if (table.rows.length === 0) table.rows.push([]);
        table.rows.at(-1)?.push("");
        table.isInCell = true;
        if (name === "th" && table.rows.length === 1) table.headerCells += 1;
      }
    },
    markHeader() {
      const table = tables.at(-1);
      if (table?.rows.length === 1) table.isHeaderMarked = true;
    },
    close(name) {
      const table = tables.at(-1);
      if (table && (name === "td" || name === "th")) table.isInCell = false;
      if (name !== "table" || table === undefined) return;
      tables.pop();
      end(table);
    },
  };
}

const isName = (cell: string): boolean => /\p{L}/u.test(cell);

function addTo({ rows }: OpenTable, text: string): void {
  const row = rows.at(-1);
  if (row === undefined || row.length === 0) return;
  const last = row.length - 1;
  row[last] = `${row[last] ?? ""} ${text.trim().replace(/\s+/g, " ")}`.trim();
}
