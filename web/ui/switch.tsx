import "./styles/switch.css";
import { neededRole, type Operation, useMay } from "../api/permissions.ts";

interface SwitchProps {
  /** Shown beside the switch. */
  label?: string;
  /** The accessible name where there is no room for a visible label. */
  name?: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
  /** Disabled for a role that may not call this operation. */
  may?: Operation;
}

/** A setting that takes effect at once. */
export function Switch({ label, name, checked, onChange, disabled, may: operation }: SwitchProps) {
  const may = useMay();
  const isRefused = operation !== undefined && !may(operation);
  return (
    <label className="switch small" title={isRefused ? neededRole(operation) : undefined}>
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={checked}
        disabled={disabled === true || isRefused}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
