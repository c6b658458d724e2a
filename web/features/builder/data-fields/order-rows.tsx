import { readOrder, writeOrder } from "../../../flow/data-rows.ts";
import { FieldInput, type FieldInputProps } from "../inspector/field-input.tsx";
import { FieldNameInput, RowList, RowSelect } from "./row-list.tsx";
import { useRows } from "./use-rows.ts";

const DIRECTIONS = [
  { value: "up", label: "Ascending" },
  { value: "down", label: "Descending" },
];
const format = { read: readOrder, write: writeOrder };

/** The fields to sort by, each with its direction. */
export function OrderRows(props: FieldInputProps & { names: readonly string[] }) {
  const { field, value, onChange, error, names } = props;
  const list = useRows(format, value, onChange);
  if (list === undefined) return <FieldInput {...props} />;
  return (
    <RowList
      label={field.label}
      hint={field.hint}
      error={error}
      columns="order"
      addLabel="Add field"
      onAdd={() => list.add({ field: "", descending: false })}
      onRemove={list.remove}
      rows={list.rows.map((row, index) => (
        <>
          <FieldNameInput
            label={`${field.label}: field ${index + 1}`}
            value={row.field}
            names={names}
            onChange={(next) => list.changeRow(index, { field: next })}
          />
          <RowSelect
            label={`${field.label}: order ${index + 1}`}
            value={row.descending ? "down" : "up"}
            options={DIRECTIONS}
            onChange={(next) => list.changeRow(index, { descending: next === "down" })}
          />
        </>
      ))}
    />
  );
}
