import { useState } from "react";
import { useLocation } from "wouter";
import { useWorkspace } from "../../api/accounts.ts";
import { useSearch } from "../../api/search.ts";
import { groupBy } from "../../flow/group-by.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { Failure } from "../../ui/states.tsx";
import { useStoredState } from "../../ui/stored-state.ts";
import type { Command, SavedCommand } from "./palette-command.ts";
import { useCommands } from "./palette-commands.ts";
import { resultCommand, savedCommand } from "./palette-results.ts";

const MAX_RECENT = 6;
const MAX_COMMANDS = 6;
const TASK_ID = /^task_[\w-]+$/;
const NO_COMMANDS: readonly SavedCommand[] = [];

interface CommandPaletteProps {
  onClose: () => void;
  onShortcuts: () => void;
}

/** Opens any screen or record of the workspace, and starts the actions that need no screen of their own. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const { workspace } = useWorkspace();
  const [recent, setRecent] = useStoredState(`baton:recent:${workspace?.id ?? ""}`, NO_COMMANDS);
  const commands = useCommands(onShortcuts);
  const words = text.trim();
  const { results, error, isSearching } = useSearch(words);
  const items: readonly Command[] =
    words === ""
      ? [...recent.map((saved) => savedCommand(saved, navigate)), ...commands]
      : [
          ...openByRunId(words, navigate),
          ...commands
            .filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()))
            .slice(0, MAX_COMMANDS),
          // By kind, the kind of the best result first.
          ...[...groupBy(results, ({ type }) => type).values()]
            .flat()
            .map((result) => resultCommand(result, navigate)),
        ];
  function pick(key: string): void {
    onClose();
    const picked = items.find((item) => item.key === key);
    const saved = picked?.saved;
    if (saved !== undefined)
      setRecent([saved, ...recent.filter(({ path }) => path !== saved.path)].slice(0, MAX_RECENT));
    picked?.run();
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      {error !== null && words !== "" && <Failure error={error} />}
      <PickList
        label="Workflow, run, document, agent, team, connection or action"
        text={text}
        onText={setText}
        items={items}
        onPick={pick}
        emptyMessage={isSearching ? "Searching …" : "No matches. Paste the id of a run to open it."}
      />
    </Dialog>
  );
}

/** A pasted id opens its run, however old. */
function openByRunId(text: string, navigate: (path: string) => void): Command[] {
  if (!TASK_ID.test(text)) return [];
  const run = (): void => navigate(`/runs/${text}`);
  return [{ key: `open ${text}`, group: "Runs", title: text, detail: "Run", run }];
}
