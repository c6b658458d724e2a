import type { Pdf } from "./open-pdf.ts";

/** An entry of the table of contents that a viewer shows beside the pages. */
export interface OutlineEntry {
  title: string;
  page: number;
  /** 1 is the highest. */
  level: number;
}

// A hostile file may list millions of entries; a long handbook has some hundreds.
const MAX_ENTRIES = 2000;
const MAX_DEPTH = 6;

type Node = NonNullable<Awaited<ReturnType<Pdf["getOutline"]>>>[number];

/** The outline of a PDF, without entries that lead to no page. */
export async function readOutline(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  let seen = 0;

  async function visit(nodes: readonly Node[], level: number): Promise<void> {
    for (const node of nodes) {
      if (++seen > MAX_ENTRIES) return;
      const page = await pageOf(pdf, node.dest);
      if (page !== undefined) entries.push({ title: node.title, page, level });
      if (level < MAX_DEPTH) await visit(node.items as Node[], level + 1);
    }
  }

  try {
    await visit((await pdf.getOutline()) ?? [], 1);
  } catch {
    // A damaged outline is worth no document.
  }
  return entries;
}

async function pageOf(pdf: Pdf, dest: Node["dest"]): Promise<number | undefined> {
  try {
    const [target] = (typeof dest === "string" ? await pdf.getDestination(dest) : dest) ?? [];
    if (typeof target === "number") return target + 1;
    return target ? (await pdf.getPageIndex(target)) + 1 : undefined;
  } catch {
    return undefined;
  }
}
