import { Field } from "./field.tsx";
import { useSettledText } from "./use-settled-text.ts";

interface ChoiceFieldProps {
  label: string;
  value: string;
  /** Called once typing pauses. */
  onChange: (value: string) => void;
  /** Offered while typing. */
  choices: readonly string[];
}

/** A text of which the known ones are offered. */
export function ChoiceField({ label, value, onChange, choices }: ChoiceFieldProps) {
  const [text, setText] = useSettledText(value, onChange);
  return (
    <Field label={label}>
      {(ids) => (
        <>
          <input
            className="in"
            {...ids}
            list={`${ids.id}-choices`}
            value={text}
            onChange={(event) => setText(event.target.value)}
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
