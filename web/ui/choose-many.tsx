interface ChooseManyProps {
  label: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  hint?: string | undefined;
  /** The order counts: each chosen one shows its number. */
  ordered?: boolean;
}

/** A short list of boxes to tick; the order of ticking is the order of the result. */
export function ChooseMany({ label, options, chosen, onChange, hint, ordered = false }: ChooseManyProps) {
  return (
    <fieldset className="field choose-many">
      <legend className="name">{label}</legend>
      {options.length === 0 && <span className="hint">There are none yet.</span>}
      <div className="choose-options">
        {options.map((option) => {
          const place = chosen.indexOf(option.value);
          return (
            <label key={option.value} className="row small">
              <input
                type="checkbox"
                checked={place >= 0}
                onChange={() =>
                  onChange(
                    place >= 0 ? chosen.filter((one) => one !== option.value) : [...chosen, option.value],
                  )
                }
              />
              <span className="ellipsis">{option.label}</span>
              {ordered && place >= 0 && (
                <span className="chip" aria-hidden>
                  {place + 1}
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
