import { useId } from "react";
import { filterOperators } from "../../../../contract/data/choices.ts";
import { operatorWords, unaryOperators } from "../../../../contract/steps/condition.ts";
import { readConditions, writeConditions } from "../../../flow/data-rows.ts";
import { AnyValueInput, FieldInput, type FieldInputProps } from "../inspector/field-input.tsx";
import { FieldNameInput, RowList, RowSelect } from "./row-list.tsx";
import { useRows } from "./use-rows.ts";

const OPERATORS = filterOperators.map((value) => ({ value, label: operatorWords[value] ?? value }));
const format = { read: readConditions, write: writeConditions };

/** The conditions of a filter after the first one. */
export function ConditionRows(props: FieldInputProps & { names: readonly string[] }) {
  const { field, value, onChange, error, names } = props;
  const id = useId();
  const list = useRows(format, value, onChange);
  if (list === undefined) return <FieldInput {...props} />;
  return (
    <RowList
      label={field.label}
      hint={field.hint}
      error={error}
      columns="condition"
      addLabel="Add condition"
      onAdd={() => list.add({ field: "", operator: "eq", value: undefined })}
      onRemove={list.remove}
      rows={list.rows.map((row, index) => (
        <>
          <FieldNameInput
            label={`Condition ${index + 2}: field`}
            value={row.field}
            names={names}
            onChange={(next) => list.changeRow(index, { field: next })}
          />
          <RowSelect
            label={`Condition ${index + 2}: comparison`}
            value={row.operator}
            options={OPERATORS}
            onChange={(next) => list.changeRow(index, { operator: next })}
          />
          {unaryOperators.has(row.operator) ? (
            <span />
          ) : (
            <AnyValueInput
              ids={{ id: `${id}-${index}`, "aria-label": `Condition ${index + 2}: value` }}
              example="Value"
              value={row.value}
              onChange={(next) => list.changeRow(index, { value: next })}
            />
          )}
        </>
      ))}
    />
  );
}
