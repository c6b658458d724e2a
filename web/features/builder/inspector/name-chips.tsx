/** More would hide the fields below; other names are typed. */
const MAX_SHOWN = 16;

interface NameChipsProps {
  label: string;
  names: readonly string[] | undefined;
  selected: readonly unknown[];
  onToggle: (name: string) => void;
}

/** The fields of the items in the last run, below the setting that names one or several of them. */
export function NameChips({ label, names = [], selected, onToggle }: NameChipsProps) {
  if (names.length === 0) return null;
  return (
    <div className="name-chips" role="group" aria-label={`${label}: fields of the items`}>
      {names.slice(0, MAX_SHOWN).map((name) => (
        <button
          key={name}
          type="button"
          className="add-setting"
          aria-pressed={selected.includes(name)}
          onClick={() => onToggle(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
