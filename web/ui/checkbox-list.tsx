interface CheckboxListProps {
  label: string;
  options: readonly { value: string; label: string; description?: string }[];
  /** In the order in which they were checked. */
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  hint?: string | undefined;
  /** Shows the position of each selected option. */
  ordered?: boolean;
}

export function CheckboxList({
  label,
  options,
  selected,
  onChange,
  hint,
  ordered = false,
}: CheckboxListProps) {
  return (
    <fieldset className="field choose-many">
      <legend className="name">{label}</legend>
      {options.length === 0 && <span className="hint">None yet</span>}
      <div className="choose-options">
        {options.map((option) => {
          const position = selected.indexOf(option.value);
          return (
            <label key={option.value} className="row small">
              <input
                type="checkbox"
                checked={position >= 0}
                onChange={() =>
                  onChange(
                    position >= 0
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
              {ordered && position >= 0 && (
                <span className="chip" aria-hidden>
                  {position + 1}
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
