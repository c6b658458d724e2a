import { type ReactNode, useId } from "react";
import type { ControlIds } from "../../../ui/field.tsx";

interface SettingFieldProps {
  label: string;
  /** The help: a tooltip on the label, and the description of the control for screen readers. */
  hint?: string | undefined;
  error?: string | undefined;
  /** The label is above the control instead of at its left. */
  stacked?: boolean;
  /** At the right of a stacked label. */
  aside?: ReactNode;
  children: (ids: ControlIds) => ReactNode;
}

/** A label and its control in one row. */
export function SettingField({ label, hint, error, stacked = false, aside, children }: SettingFieldProps) {
  const id = useId();
  const described = hint !== undefined || error !== undefined;
  return (
    <div className={`setting${stacked ? " stacked" : ""}`}>
      <div className="setting-name">
        <label
          id={`${id}-label`}
          htmlFor={id}
          title={hint}
          // A contenteditable field does not receive the focus from its label by itself.
          onClick={() => document.getElementById(id)?.focus()}
        >
          {label}
        </label>
        {aside}
      </div>
      <div className="setting-control">
        {children({
          id,
          ...(described ? { "aria-describedby": `${id}-help` } : {}),
          ...(error === undefined ? {} : { "aria-invalid": true as const }),
        })}
        {described && (
          <div id={`${id}-help`}>
            {error !== undefined && <p className="wrong">{error}</p>}
            {hint !== undefined && <span className="visually-hidden">{hint}</span>}
          </div>
        )}
      </div>
    </div>
  );
}
