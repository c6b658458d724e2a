import { Check } from "lucide-react";

const STAGES = ["Upload", "Review", "Import"] as const;

/** Where the person is in the import. */
export function ImportStages({ stage }: { stage: (typeof STAGES)[number] }) {
  const at = STAGES.indexOf(stage);
  return (
    <ol className="plain-list n8n-stages small wide-only" aria-label="Steps of the import">
      {STAGES.map((name, index) => (
        <li key={name} aria-current={index === at ? "step" : undefined}>
          {index < at && <Check size={13} aria-label="Done:" />} {name}
        </li>
      ))}
    </ol>
  );
}
