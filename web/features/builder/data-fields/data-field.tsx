import { useContext, useMemo } from "react";
import type { Step } from "../../../../contract/graph.ts";
import { itemFieldsOf } from "../../../flow/item-fields.ts";
import { FieldInput, type FieldInputProps } from "../inspector/field-input.tsx";
import { RecordInput } from "../inspector/record-input.tsx";
import { ScopeContext } from "../placeholders/scope-context.ts";
import { AggregateRows } from "./aggregate-rows.tsx";
import { ConditionRows } from "./condition-rows.tsx";
import { OrderRows } from "./order-rows.tsx";

const NAMES_FIELDS = new Set(["field", "by", "withBy", "fields", "remove"]);

/** A setting of a data step, with the fields of the items in the last run. */
export function DataField({ step, ...props }: FieldInputProps & { step: Step }) {
  const scope = useContext(ScopeContext);
  const { field, value, onChange } = props;
  const items = field.name === "withBy" ? step["with"] : step["items"];
  const needsList = step["operation"] === "split_out";
  const names = useMemo(
    () => itemFieldsOf(items, scope, needsList ? Array.isArray : undefined),
    [items, scope, needsList],
  );
  if (field.name === "conditions") return <ConditionRows {...props} names={names} />;
  if (field.name === "aggregates") return <AggregateRows {...props} names={names} />;
  if (field.name === "by" && step["operation"] === "sort") return <OrderRows {...props} names={names} />;
  if (field.name === "rename")
    return (
      <RecordInput
        label={field.label}
        hint={field.hint}
        examples={["Field", "New name"]}
        names={names}
        value={value}
        onChange={onChange}
      />
    );
  return <FieldInput {...props} {...(NAMES_FIELDS.has(field.name) ? { names } : {})} />;
}
