import type { PickItem } from "../../ui/pick-list.tsx";

/** A record that was opened from the palette, as this browser keeps it. */
export interface SavedCommand {
  path: string;
  title: string;
  detail: string;
}

export interface Command extends PickItem {
  run: () => void;
  /** Listed under Recent after it was picked. */
  saved?: SavedCommand;
}
