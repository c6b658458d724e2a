import { modifier } from "./shortcuts.ts";

export type ShortcutLabels = readonly (readonly [keys: string, meaning: string])[];

export const CANVAS_SHORTCUTS: ShortcutLabels = [
  ["/", "Add step after the selected one, or on the selected line"],
  ["N", "Add note"],
  ["↑ ↓ ← →", "Walk along the lines"],
  ["Enter", "Open the selected step"],
  ["F6", "Move between canvas and panel"],
  ["⇧ F10", "Open the menu of the selection"],
  ["F2", "Rename step"],
  ["D", "Disable or enable steps"],
  ["P", "Pin or unpin the last output"],
  ["Delete", "Delete the selection"],
  [`${modifier}Enter`, "Run"],
  [`⇧ ${modifier}Enter`, "Test the selected steps"],
  [`⇧ ${modifier}P`, "Publish"],
  [`${modifier}F`, "Find step"],
  [`${modifier}Z`, "Undo"],
  [`⇧ ${modifier}Z`, "Redo"],
  [`${modifier}C ${modifier}V`, "Copy and paste steps, also between workflows"],
  [`${modifier}D`, "Duplicate steps"],
  [`${modifier}A`, "Select all steps"],
  ["⇧ click, ⇧ drag", "Select several steps"],
  ["⇧ T", "Tidy up"],
  ["F", "Fit into view"],
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
