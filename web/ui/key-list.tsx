import { modifier } from "./keys.ts";

export type KeyMeanings = readonly (readonly [keys: string, meaning: string])[];

/** What works on every graph. */
export const CANVAS_KEYS: KeyMeanings = [
  ["/", "Add step"],
  [`${modifier}Enter`, "Run"],
  [`${modifier}F`, "Find step"],
  [`${modifier}Z`, "Undo"],
  [`${modifier}C ${modifier}V`, "Copy and paste steps"],
  [`${modifier}D`, "Duplicate steps"],
  [`${modifier}A`, "Choose all steps"],
  ["↑ ↓ ← →", "Walk the graph"],
  ["Delete", "Remove what is chosen"],
];

export const PAGE_KEYS: KeyMeanings = [
  [`${modifier}K`, "Go anywhere"],
  ["?", "Show all keys"],
  ["Esc", "Close, or choose nothing"],
];

export function KeyList({ keys }: { keys: KeyMeanings }) {
  return (
    <dl className="key-list">
      {keys.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
