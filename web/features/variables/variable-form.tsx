import { useState } from "react";
import { putVariable, useVariableMutation, type Variable } from "../../api/variables.ts";
import { parseValue, formatValue } from "../../flow/form-fields.ts";
import { Switch, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

/** A new variable, or a new value for one that is there; a secret's old value is nowhere to be seen. */
export function VariableForm({ variable, onDone }: { variable: Variable | undefined; onDone: () => void }) {
  const [name, setName] = useState(variable?.name ?? "");
  const [value, setValue] = useState(formatValue(variable?.value));
  const [secret, setSecret] = useState(variable?.secret ?? false);
  const put = useVariableMutation(
    () =>
      putVariable(name, {
        // What was JSON stays JSON; what a person types anew is the text itself.
        value: isText(variable) || secret ? value : parseValue(value),
        secret,
      }),
    () => {
      setName("");
      setValue("");
      onDone();
    },
  );
  return (
    <form
      className="card pad stack"
      aria-label={variable === undefined ? "New variable" : `Change ${variable.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined);
      }}
    >
      {variable === undefined ? (
        <TextField label="Name" mono required value={name} onChange={setName} placeholder="shopAddress" />
      ) : (
        <p>
          A new value for <code>{variable.name}</code>
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
          label="Secret: sealed, never shown again, struck out of every run"
          checked={secret}
          onChange={setSecret}
        />
        <span className="grow" />
        {variable !== undefined && (
          <button type="button" className="btn" onClick={onDone}>
            Leave it
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
