import { useState } from "react";
import type { Step } from "../../../../contract/graph.ts";
import type { Draft } from "../../../flow/draft.ts";
import { SettingField } from "./setting-field.tsx";
import { SettingsSection } from "./settings-section.tsx";

interface ReferenceNameProps {
  step: Step;
  graph: Draft;
  onRename: (from: string, to: string) => void;
}

/** The step id. Renames on blur: a rename for each letter would rewrite the placeholders of all other steps. */
export function ReferenceName({ step: { stepId }, graph, onRename }: ReferenceNameProps) {
  const [text, setText] = useState(stepId);
  const isTaken = text !== stepId && graph.steps.some((step) => step.stepId === text);
  const error = isTaken ? "Another step uses this name." : text === "" ? "Enter a name." : undefined;
  return (
    <SettingsSection title="Reference name" summary={stepId}>
      <SettingField
        label="Name"
        hint="Placeholders use this name. It follows the title until you change it here."
        error={error}
      >
        {(ids) => (
          <input
            className="in mono"
            {...ids}
            aria-label="Reference name"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => {
              if (error !== undefined) setText(stepId);
              else if (text !== stepId) onRename(stepId, text);
            }}
          />
        )}
      </SettingField>
    </SettingsSection>
  );
}
