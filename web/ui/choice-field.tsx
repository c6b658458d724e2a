import { Field } from "./field.tsx";

interface ChoiceFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Offered while typing. */
  choices: readonly string[];
}

/** A text of which the known ones are offered. */
export function ChoiceField({ label, value, onChange, choices }: ChoiceFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <>
          <input
            className="in"
            {...ids}
            list={`${ids.id}-choices`}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${ids.id}-choices`}>
            {choices.map((choice) => (
              <option key={choice} value={choice} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
