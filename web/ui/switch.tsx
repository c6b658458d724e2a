import { Switch as RadixSwitch } from "radix-ui";
import "./styles/switch.css";

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** A setting that takes effect at once. Its label is not shown: put the word beside it. */
export function Switch({ label, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <RadixSwitch.Root
      className="switch"
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
    >
      <RadixSwitch.Thumb className="switch-thumb" />
    </RadixSwitch.Root>
  );
}
