import { Braces } from "lucide-react";
import { formatValue } from "../../../flow/form-fields.ts";
import { ChooseMany } from "../../../ui/choose-many.tsx";
import { Field, type Option } from "../../../ui/field.tsx";
import type { PickValue } from "../placeholders/pick-value.ts";
import { PlaceholderInput } from "../placeholders/placeholder-input.tsx";

interface ListInputProps {
  label: string;
  hint: string | undefined;
  wrong: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  onPick: PickValue;
  options: readonly Option[];
}

/** Some of what is there, ticked by name; or one placeholder that brings the list. */
export function ListInput({ label, hint, wrong, value, onChange, onPick, options }: ListInputProps) {
  if (typeof value === "string")
    return (
      <Field label={label} hint={hint} wrong={wrong}>
        {(ids) => (
          <>
            <PlaceholderInput
              ids={ids}
              value={formatValue(value)}
              onPick={onPick}
              onChange={(text) => onChange(text === "" ? undefined : text)}
            />
            <div>
              <button type="button" className="btn tiny" onClick={() => onChange(undefined)}>
                Choose by name
              </button>
            </div>
          </>
        )}
      </Field>
    );
  const chosen = Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  const gone = chosen.filter((one) => !options.some((option) => option.value === one));
  return (
    <div className="stack tight">
      <ChooseMany
        label={label}
        hint={wrong ?? hint}
        options={[...options, ...gone.map((one) => ({ value: one, label: `${one} (not there)` }))]}
        chosen={chosen}
        onChange={(next) => onChange(next.length === 0 ? undefined : [...next])}
      />
      <div>
        <button
          type="button"
          className="btn tiny"
          onClick={() => onPick((placeholder) => onChange(`{{${placeholder}}}`))}
        >
          <Braces size={13} /> Take the list from a value
        </button>
      </div>
    </div>
  );
}
