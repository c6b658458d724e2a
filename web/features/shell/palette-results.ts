import type { SearchResult } from "../../api/search.ts";
import { runLabel } from "../../flow/run-label.ts";
import { statusLabel } from "../../flow/status-label.ts";
import { ago } from "../../ui/time.ts";
import type { Command, SavedCommand } from "./palette-command.ts";

const TYPES: Readonly<
  Record<SearchResult["type"], { group: string; noun: string; path: (id: string) => string }>
> = {
  workflow: { group: "Workflows", noun: "Workflow", path: (id) => `/workflows/${id}` },
  run: { group: "Runs", noun: "Run", path: (id) => `/runs/${id}` },
  document: { group: "Documents", noun: "Document", path: (id) => `/documents?open=${id}` },
  agent: { group: "Agents", noun: "Agent", path: (id) => `/agents/${id}` },
  team: { group: "Teams", noun: "Team", path: (id) => `/teams/${id}` },
  connection: { group: "Connections", noun: "Connection", path: (id) => `/connections/${id}` },
};

/** Opens a found record; beside its name is the text in which the words were found. */
export function resultCommand(result: SearchResult, navigate: (path: string) => void): Command {
  const { group, noun, path: pathOf } = TYPES[result.type];
  const path = pathOf(result.id);
  const label = result.type === "run" ? `Run ${runLabel(result.id)}` : noun;
  return {
    key: `${result.type} ${result.id}`,
    group,
    title: result.title,
    detail: detailOf(result),
    run: () => navigate(path),
    saved: { path, title: result.title, detail: label },
  };
}

export function savedCommand(saved: SavedCommand, navigate: (path: string) => void): Command {
  const { path, title, detail } = saved;
  return { key: `recent ${path}`, group: "Recent", title, detail, run: () => navigate(path), saved };
}

function detailOf({ id, type, excerpt, page, status, createdAt }: SearchResult): string {
  const found = page === undefined ? excerpt : `${excerpt ?? ""} · page ${page}`;
  if (type !== "run") return found ?? "";
  return [runLabel(id), status && statusLabel(status), createdAt && ago(createdAt), found]
    .filter(Boolean)
    .join(" · ");
}
