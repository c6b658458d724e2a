import { useState } from "react";
import { createVariable, putVariable, useVariableMutation, type Variable } from "../../api/variables.ts";
import { parseValue, formatValue } from "../../flow/form-fields.ts";
import { TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Failure } from "../../ui/states.tsx";

/** Creates a variable or replaces the value of one. The current value of a secret is never shown. */
export function VariableForm({ variable, onDone }: { variable: Variable | undefined; onDone: () => void }) {
  const [name, setName] = useState(variable?.name ?? "");
  const [value, setValue] = useState(formatValue(variable?.value));
  const [secret, setSecret] = useState(variable?.secret ?? false);
  const put = useVariableMutation(
    () => {
      // A JSON value stays JSON; a new value is stored as text.
      const body = { value: isText(variable) || secret ? value : parseValue(value), secret };
      // A new variable never replaces another of the same name.
      return variable === undefined ? createVariable({ name, ...body }) : putVariable(name, body);
    },
    () => {
      setName("");
      setValue("");
      onDone();
    },
  );
  return (
    <form
      className="card pad stack"
      aria-label={variable === undefined ? "New variable" : `Edit ${variable.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined);
      }}
    >
      {variable === undefined ? (
        <TextField label="Name" mono required value={name} onChange={setName} placeholder="shopAddress" />
      ) : (
        <p>
          New value for <code>{variable.name}</code>
        </p>
      )}
      <TextField
        label="Value"
        type={secret ? "password" : "text"}
        required
        autoComplete="off"
        value={value}
        onChange={setValue}
      />
      <div className="row wrap">
        <Switch
          label="Secret: encrypted, never shown again, redacted in every run"
          checked={secret}
          onChange={setSecret}
        />
        <span className="grow" />
        {variable !== undefined && (
          <button type="button" className="btn" onClick={onDone}>
            Cancel
          </button>
        )}
        <button type="submit" className="btn go" disabled={put.isPending}>
          Save
        </button>
      </div>
      {put.error !== null && <Failure error={put.error} />}
    </form>
  );
}

function isText(variable: Variable | undefined): boolean {
  return variable === undefined || variable.secret || typeof variable.value === "string";
}
