import type { ReactNode } from "react";
import type { StoredKind, StoredTrigger } from "../../../api/triggers.ts";
import { SelectField } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import type { BuilderState } from "../use-builder.ts";

export interface TriggerFormProps<Kind extends StoredKind> {
  builder: BuilderState;
  /** Undefined for one that is not created yet. */
  trigger: Extract<StoredTrigger, { kind: Kind }> | undefined;
  onSaved: (trigger: StoredTrigger) => void;
}

const INTERVALS = [
  [60, "Every minute"],
  [300, "Every 5 minutes"],
  [900, "Every 15 minutes"],
  [3600, "Every hour"],
  [21_600, "Every 6 hours"],
  [86_400, "Every day"],
] as const;

interface IntervalFieldProps {
  seconds: number;
  onChange: (seconds: number) => void;
}

export function IntervalField({ seconds, onChange }: IntervalFieldProps) {
  const known = INTERVALS.map(([value, label]) => ({ value: String(value), label }));
  const isKnown = known.some(({ value }) => value === String(seconds));
  const own = isKnown ? [] : [{ value: String(seconds), label: `Every ${seconds} seconds` }];
  return (
    <SelectField
      label="Check"
      value={String(seconds)}
      options={[...own, ...known]}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

/** Only before the first check: later it decides nothing. */
export function StartWithField({
  value,
  onChange,
}: {
  value: "new" | "all";
  onChange: (value: "new" | "all") => void;
}) {
  return (
    <SelectField
      label="Begin with"
      value={value}
      options={[
        { value: "new", label: "What arrives from now on" },
        { value: "all", label: "Everything that is there" },
      ]}
      onChange={(next) => onChange(next as "new" | "all")}
    />
  );
}

interface TriggerFormFrameProps {
  isNew: boolean;
  isChanged: boolean;
  create: string;
  save: { isPending: boolean; error: Error | null; mutate: (input: undefined) => void };
  children: ReactNode;
}

export function TriggerFormFrame({ isNew, isChanged, create, save, children }: TriggerFormFrameProps) {
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <div className="side stack">{children}</div>
      {save.error !== null && <Failure error={save.error} />}
      {(isNew || isChanged) && (
        <div className="actions">
          <button type="submit" className="btn go" disabled={save.isPending}>
            {isNew ? create : "Save"}
          </button>
        </div>
      )}
    </form>
  );
}
