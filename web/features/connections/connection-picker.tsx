import { useConnections } from "../../api/connections.ts";
import { fits, type Wanted } from "../../flow/wanted-connection.ts";
import "./connection-picker.css";
import { ConnectionStatus, needsAttention } from "./connection-status.tsx";

interface ConnectionPickerProps {
  ids: { id: string; "aria-describedby"?: string; "aria-invalid"?: true };
  wanted: Wanted;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  /** The place works without one. */
  optional?: boolean;
}

/** Chooses a connection. */
export function ConnectionPicker({
  ids,
  wanted,
  value = "",
  onChange,
  optional = false,
}: ConnectionPickerProps) {
  const connections = useConnections().data;
  const fitting = (connections ?? []).filter((one) => fits(one, wanted));
  const chosen = connections?.find(({ id }) => id === value);
  const isUnknown = value !== "" && !fitting.some(({ id }) => id === value);
  return (
    <div className="connection-picker">
      <select
        className="in grow"
        {...ids}
        value={value}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      >
        <option value="">{optional ? "None" : "Select…"}</option>
        {fitting.map(({ id, name, account }) => (
          <option key={id} value={id}>
            {account === null ? name : `${name} · ${account}`}
          </option>
        ))}
        {isUnknown && (
          <option value={value}>{connections === undefined ? "Loading …" : "Deleted connection"}</option>
        )}
      </select>
      {chosen !== undefined && needsAttention(chosen) && (
        <p className="small">
          <ConnectionStatus connection={chosen} /> {chosen.problem?.message}
        </p>
      )}
    </div>
  );
}
