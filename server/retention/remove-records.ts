import type { BlobStore } from "../lib/blob-store.ts";
import type { SmallSteps } from "../lib/small-steps.ts";
import type { PrunableRecord, PrunableTable } from "./prunable-table.ts";

/** Removes these records with their rows and large outputs; returns how many were still finished. */
export async function removeRecords(
  table: PrunableTable,
  records: readonly PrunableRecord[],
  { steps, blobs }: { steps: SmallSteps; blobs: Pick<BlobStore, "removeFolder"> },
): Promise<number> {
  let removed = 0;
  for (let next = 0; next < records.length;) {
    const stepRows = steps.rows();
    const group: string[] = [];
    let rows = 0;
    while (next < records.length && (group.length === 0 || rows + records[next]!.rows <= stepRows)) {
      const { id, rows: own } = records[next++]!;
      group.push(id);
      rows += own + 1;
    }
    if (rows > stepRows + 1) await trimFirst(table, group[0]!, steps);
    const gone = await steps.throttled(() => table.remove(group));
    await Promise.all(gone.map((id) => blobs.removeFolder(id)));
    removed += gone.length;
  }
  return removed;
}

/** A long journal takes several steps; hidden first, a record cannot be reopened after a crash between them. */
async function trimFirst(table: PrunableTable, id: string, steps: SmallSteps): Promise<void> {
  if (!(await table.hide(id))) return;
  await steps.deleteAll((limit) => table.trim(id, limit));
}
