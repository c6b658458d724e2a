import { type AggregateFunction, aggregateFunctions } from "../../../../contract/data/choices.ts";
import {
  aggregateName,
  type AggregateRow,
  readAggregates,
  writeAggregates,
} from "../../../flow/data-rows.ts";
import { FieldInput, type FieldInputProps } from "../inspector/field-input.tsx";
import { FieldNameInput, RowList, RowSelect } from "./row-list.tsx";
import { useRows } from "./use-rows.ts";

const WORDS: Readonly<Record<AggregateFunction, string>> = {
  count: "Count",
  sum: "Sum",
  average: "Average",
  min: "Minimum",
  max: "Maximum",
  first: "First",
  last: "Last",
  list: "List",
};
const FUNCTIONS = aggregateFunctions.map((value) => ({ value, label: WORDS[value] }));
const format = { read: readAggregates, write: writeAggregates };

/** The computed fields of a group: a function of a field, and the name of the result. */
export function AggregateRows(props: FieldInputProps & { names: readonly string[] }) {
  const { field, value, onChange, error, names } = props;
  const list = useRows(format, value, onChange);
  if (list === undefined) return <FieldInput {...props} />;
  const { rows } = list;
  /** A name that nobody typed follows the function and the field. */
  function compute(index: number, row: AggregateRow, part: Partial<AggregateRow>): void {
    const next = { ...row, ...part };
    const isAutomatic = row.name === freeName(rows, index, aggregateName(row));
    list?.changeRow(
      index,
      isAutomatic ? { ...part, name: freeName(rows, index, aggregateName(next)) } : part,
    );
  }
  const repeated = rows.find(({ name }, index) => rows.some((row, at) => at < index && row.name === name));
  return (
    <RowList
      label={field.label}
      hint={field.hint}
      error={repeated === undefined ? error : `Two results have the name “${repeated.name}”.`}
      columns="aggregate"
      addLabel="Add result"
      onAdd={() => list.add({ compute: "count", field: "", name: freeName(rows, rows.length, "count") })}
      onRemove={list.remove}
      rows={rows.map((row, index) => (
        <>
          <RowSelect
            label={`Result ${index + 1}: function`}
            value={row.compute}
            options={FUNCTIONS}
            onChange={(next) => compute(index, row, { compute: next as AggregateFunction })}
          />
          <FieldNameInput
            label={`Result ${index + 1}: field`}
            value={row.field}
            names={names}
            onChange={(next) => compute(index, row, { field: next })}
          />
          <input
            className="in"
            aria-label={`Result ${index + 1}: name`}
            placeholder="Name"
            value={row.name}
            onChange={(event) => list.changeRow(index, { name: event.target.value })}
          />
        </>
      ))}
    />
  );
}

/** `count`, `count_2`, …: a name that no other row has. */
function freeName(rows: readonly AggregateRow[], index: number, wanted: string): string {
  const taken = new Set(rows.filter((_, at) => at !== index).map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}_${number}`)) return `${wanted}_${number}`;
}
