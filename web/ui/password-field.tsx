import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Field } from "./field.tsx";

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Tells a password manager whether to fill in a password or to offer a new one. */
  autoComplete: "current-password" | "new-password";
  minLength?: number;
  hint?: string;
}

/** A required password with a button that shows it. */
export function PasswordField({ label, value, onChange, hint, ...rest }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <div className="row password">
          <input
            className="in grow"
            {...ids}
            {...rest}
            required
            type={isShown ? "text" : "password"}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="btn ghost icon"
            aria-label={isShown ? "Hide password" : "Show password"}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
          </button>
        </div>
      )}
    </Field>
  );
}
