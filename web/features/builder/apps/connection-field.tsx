import type { Step } from "../../../../contract/graph.ts";
import { wantedConnection } from "../../../flow/wanted-connection.ts";
import { ConnectionPicker } from "../../connections/connection-picker.tsx";
import type { FieldInputProps } from "../inspector/field-input.tsx";
import { SettingField } from "../inspector/setting-field.tsx";

/** The field `connection` of a step. */
export function ConnectionField({ step, field, value, onChange, error }: FieldInputProps & { step: Step }) {
  return (
    <SettingField label={field.label} hint={field.hint} error={error}>
      {(ids) => (
        <ConnectionPicker
          ids={ids}
          wanted={wantedConnection(step)}
          value={typeof value === "string" ? value : undefined}
          onChange={onChange}
          optional={!field.required}
        />
      )}
    </SettingField>
  );
}
