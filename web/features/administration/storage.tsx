import { useStorage, type WorkspaceStorage } from "../../api/administration.ts";
import { Ago } from "../../ui/ago.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { Empty } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { bytes as bytesText } from "../../ui/time.ts";

const counted = ({ count, bytes }: { count: number; bytes: number }) =>
  `${count.toLocaleString("en")} (${bytesText(bytes)})`;

/** Estimated from a sample of the runs. */
const estimated = ({ count, bytes }: { count: number; bytes: number }) =>
  `${count.toLocaleString("en")} (≈ ${bytesText(bytes)})`;

const columns: Column<WorkspaceStorage>[] = [
  { title: "Workspace", cell: ({ workspace }) => <b className="breakable">{workspace.name}</b> },
  { title: "Total", cell: ({ bytes }) => `≈ ${bytesText(bytes)}` },
  { title: "Runs", wideOnly: true, muted: true, cell: ({ runs }) => estimated(runs) },
  { title: "Step results", wideOnly: true, muted: true, cell: ({ journal }) => `≈ ${counted(journal)}` },
  { title: "Files", wideOnly: true, muted: true, cell: ({ files }) => counted(files) },
  { title: "Documents", wideOnly: true, muted: true, cell: ({ documents }) => counted(documents) },
  { title: "Measured", wideOnly: true, muted: true, cell: ({ measuredAt }) => <Ago at={measuredAt} /> },
];

/** What each workspace stores, the largest first. */
export function Storage() {
  const { instance, list } = useStorage();
  return (
    <section className="stack" aria-label="Storage">
      <h2>Storage</h2>
      {instance !== undefined && (
        <p className="small muted">
          Database {bytesText(instance.databaseBytes)}. Disk: {bytesText(instance.disk.freeBytes)} free of{" "}
          {bytesText(instance.disk.totalBytes)}. Sizes of runs and step results (≈) are estimated from 50 of
          every 1,000 runs.
          {instance.measuring && " Measuring…"}
        </p>
      )}
      <RecordTable
        list={list}
        columns={columns}
        keyOf={({ workspace }) => workspace.id}
        empty={<Empty title="Measuring">The first measurement has begun. Its results appear here.</Empty>}
      />
    </section>
  );
}
