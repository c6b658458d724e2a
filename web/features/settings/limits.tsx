import { type Limit, useLimits } from "../../api/limits.ts";
import { Screen } from "../../ui/screen.tsx";
import { Loaded } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { SettingsTabs } from "./settings-tabs.tsx";

const amount = (value: number, unit: string): string => `${value.toLocaleString("en")} ${unit}`;

const COLUMNS: readonly Column<Limit>[] = [
  {
    title: "Limit",
    cell: ({ description, setting }) => (
      <>
        {description}
        <div className="small muted">
          <code className="breakable">{setting}</code>
        </div>
      </>
    ),
  },
  { title: "Use", cell: ({ used, unit }) => (used === null ? "" : amount(used, unit)) },
  { title: "At most", cell: ({ limit, unit }) => (limit === 0 ? "No limit" : amount(limit, unit)) },
];

/** What the workspace may use, and what it uses now. */
export function Limits() {
  const limits = useLimits();
  return (
    <Screen title="Settings">
      <div className="page stack">
        <SettingsTabs />
        <p className="muted">The operator of this service raises a limit with its setting.</p>
        <Loaded query={limits}>
          {(rows) => <Table columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />}
        </Loaded>
      </div>
    </Screen>
  );
}
