import { modifier } from "./shortcuts.ts";

export type ShortcutLabels = readonly (readonly [keys: string, meaning: string])[];

export const CANVAS_SHORTCUTS: ShortcutLabels = [
  ["/", "Add step"],
  [`${modifier}Enter`, "Run"],
  [`${modifier}F`, "Find step"],
  [`${modifier}Z`, "Undo"],
  [`${modifier}C ${modifier}V`, "Copy and paste steps"],
  [`${modifier}D`, "Duplicate steps"],
  [`${modifier}A`, "Select all steps"],
  ["↑ ↓ ← →", "Move along the graph"],
  ["Delete", "Delete the selection"],
];

export const PAGE_SHORTCUTS: ShortcutLabels = [
  [`${modifier}K`, "Go to …"],
  ["?", "Show all shortcuts"],
  ["Esc", "Close, or clear the selection"],
];

export function ShortcutList({ shortcuts }: { shortcuts: ShortcutLabels }) {
  return (
    <dl className="key-list">
      {shortcuts.map(([key, meaning]) => (
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
