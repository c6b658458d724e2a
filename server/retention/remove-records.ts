import type { BlobStore } from "../lib/blob-store.ts";
import type { ThrottledBatches } from "../lib/throttled-batches.ts";
import type { PrunableRecord, PrunableTable } from "./prunable-table.ts";

/** Removes these records with their rows and large outputs; returns how many were still finished. */
export async function removeRecords(
  table: PrunableTable,
  records: readonly PrunableRecord[],
  { batches, blobs }: { batches: ThrottledBatches; blobs: Pick<BlobStore, "removeFolder"> },
): Promise<number> {
  let removed = 0;
  for (let next = 0; next < records.length;) {
    const batchRows = batches.rows();
    const group: string[] = [];
    let rows = 0;
    while (next < records.length && (group.length === 0 || rows + records[next]!.rows <= batchRows)) {
      const { id, rows: own } = records[next++]!;
      group.push(id);
      rows += own + 1;
    }
    if (rows > batchRows + 1) await trimFirst(table, group[0]!, batches);
    const gone = await batches.run(() => table.remove(group));
    await Promise.all(gone.map((id) => blobs.removeFolder(id)));
    removed += gone.length;
  }
  return removed;
}

/** A long journal takes several batches; hidden first, a record cannot be reopened after a crash between them. */
async function trimFirst(table: PrunableTable, id: string, batches: ThrottledBatches): Promise<void> {
  if (!(await table.hide(id))) return;
  await batches.deleteAll((limit) => table.trim(id, limit));
}
