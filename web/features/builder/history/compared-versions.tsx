import { useVersionPages } from "../../../api/workflows.ts";
import type { BuilderState, Comparison } from "../use-builder.ts";

export const sideLabel = (side: Comparison["to"]): string => (side === "draft" ? "Draft" : `v${side}`);

interface ComparedVersionsProps {
  comparison: Comparison;
  builder: BuilderState;
}

/** Which two states are compared; either can be changed. */
export function ComparedVersions({ comparison, builder }: ComparedVersionsProps) {
  const { workflow, changes, compare } = builder;
  const { from, to } = comparison;
  const versions = useVersionPages(workflow.id).data ?? [];
  const labels = new Map(
    versions.map(({ version, note }) => [
      version,
      [`v${version}`, ...(version === workflow.version ? ["Live"] : []), ...(note === "" ? [] : [note])].join(
        " · ",
      ),
    ]),
  );
  for (const side of [from, to]) if (side !== "draft" && !labels.has(side)) labels.set(side, sideLabel(side));
  const options = [...labels].toSorted(([a], [b]) => b - a);
  return (
    <div className="diff-sides">
      <Side label="From" value={from} options={options} onChange={(side) => compare({ from: side, to })} />
      <Side
        label="To"
        value={to}
        options={changes.length > 0 || to === "draft" ? [["draft", "Draft"], ...options] : options}
        onChange={(side) => compare({ from, to: side })}
      />
    </div>
  );
}

interface SideProps<Value> {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

function Side<Value extends string | number>({ label, value, options, onChange }: SideProps<Value>) {
  return (
    <label className="row">
      <span className="xs muted">{label}</span>
      <select
        className="in"
        value={value}
        onChange={(event) => {
          const chosen = options.find(([each]) => String(each) === event.target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
