interface CheckboxListProps {
  label: string;
  options: readonly { value: string; label: string; description?: string }[];
  /** In the order in which they were checked. */
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  hint?: string | undefined;
}

export function CheckboxList({ label, options, selected, onChange, hint }: CheckboxListProps) {
  return (
    <fieldset className="field choose-many">
      <legend className="name">{label}</legend>
      {options.length === 0 && <span className="hint">None yet</span>}
      <div className="choose-options">
        {options.map((option) => {
          const isSelected = selected.includes(option.value);
          return (
            <label key={option.value} className="row small">
              <input
                type="checkbox"
                checked={isSelected}
                onChange={() =>
                  onChange(
                    isSelected
                      ? selected.filter((value) => value !== option.value)
                      : [...selected, option.value],
                  )
                }
              />
              {option.description === undefined ? (
                <span className="ellipsis">{option.label}</span>
              ) : (
                <span>
                  {option.label} <span className="muted">{option.description}</span>
                </span>
              )}
            </label>
          );
        })}
      </div>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  );
}
