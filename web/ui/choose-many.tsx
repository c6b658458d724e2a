interface ChooseManyProps {
  label: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** A short list of boxes to tick; the order of ticking is the order of the result. */
export function ChooseMany({ label, options, chosen, onChange }: ChooseManyProps) {
  return (
    <fieldset className="field choose-many">
      <legend className="name">{label}</legend>
      {options.length === 0 && <span className="hint">There are none yet.</span>}
      <div className="choose-options">
        {options.map((option) => (
          <label key={option.value} className="row small">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={() =>
                onChange(
                  chosen.includes(option.value)
                    ? chosen.filter((one) => one !== option.value)
                    : [...chosen, option.value],
                )
              }
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
