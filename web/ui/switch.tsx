import "./styles/switch.css";

interface SwitchProps {
  /** Shown beside the switch. */
  label?: string;
  /** The accessible name where there is no room for a visible label. */
  name?: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}

/** A setting that takes effect at once. */
export function Switch({ label, name, checked, onChange, disabled }: SwitchProps) {
  return (
    <label className="switch small">
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
