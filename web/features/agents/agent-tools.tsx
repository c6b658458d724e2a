import { FileText, Folder, Plus, Workflow } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../../api/agents.ts";
import { useCollections } from "../../api/collections.ts";
import { useDocuments } from "../../api/documents.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { PickList } from "../../ui/pick-list.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Switch } from "../../ui/switch.tsx";

type Tools = Agent["tools"];
type ToolKind = keyof Tools;

const KIND_LABELS: Record<ToolKind, string> = {
  workflows: "asks first",
  documents: "document",
  collections: "collection",
};

interface Tool {
  kind: ToolKind;
  id: string;
  name: string;
}

/** A longer list is searched. */
const SHOWN = 50;
const isIn = (tools: Tools, kind: ToolKind, id: string): boolean => (tools[kind] ?? []).includes(id);
const keyOf = ({ kind, id }: Tool): string => `${kind}/${id}`;

function ToolIcon({ kind }: { kind: ToolKind }) {
  if (kind === "collections") return <Folder size={14} />;
  return kind === "workflows" ? <Workflow size={14} /> : <FileText size={14} />;
}

interface AgentToolsProps {
  saved: Tools;
  tools: Tools;
  onChange: (tools: Tools) => void;
}

/** A switched-off tool stays in the list until the agent is saved or the screen is left. */
export function AgentTools({ saved, tools, onChange }: AgentToolsProps) {
  const workflows = useWorkflows().data ?? [];
  const documents = useDocuments().data ?? [];
  const collections = useCollections().data ?? [];
  const [seen, setSeen] = useState(saved);
  const [adding, setAdding] = useState(false);
  const [search, setSearch] = useState("");
  const all: Tool[] = [
    ...workflows.map(({ id, name }) => ({ kind: "workflows" as const, id, name })),
    ...documents.map((each) => ({ kind: "documents" as const, id: each.document_id, name: each.title })),
    ...collections.map((each) => ({ kind: "collections" as const, id: each.collection_id, name: each.name })),
  ];
  const isListed = ({ kind, id }: Tool): boolean => isIn(seen, kind, id) || isIn(tools, kind, id);
  function toggle({ kind, id }: Tool, on: boolean): void {
    setSeen({ ...seen, [kind]: [...new Set([...(seen[kind] ?? []), id])] });
    const others = (tools[kind] ?? []).filter((each) => each !== id);
    onChange({ ...tools, [kind]: on ? [...others, id] : others });
  }
  const listed = all.filter(isListed);
  return (
    <div className="stack tight">
      <div className="row">
        <b className="grow small">Tools</b>
        <Popover
          label="Add a tool"
          open={adding}
          onOpenChange={setAdding}
          trigger={
            <button type="button" className="btn tiny ghost">
              <Plus size={13} /> Add
            </button>
          }
        >
          <PickList
            label="Search workflows and documents"
            text={search}
            onText={setSearch}
            items={all
              .filter((tool) => !isListed(tool) && tool.name.toLowerCase().includes(search.toLowerCase()))
              .slice(0, SHOWN)
              .map((tool) => ({ key: keyOf(tool), title: tool.name, icon: <ToolIcon kind={tool.kind} /> }))}
            emptyMessage="Nothing to add"
            onPick={(key) => {
              const tool = all.find((each) => keyOf(each) === key);
              if (tool !== undefined) toggle(tool, true);
              setAdding(false);
              setSearch("");
            }}
          />
        </Popover>
      </div>
      {listed.length === 0 ? (
        <p className="muted small">Add workflows that the agent may run and documents that it may search.</p>
      ) : (
        <ul className="tool-list">
          {listed.map((tool) => (
            <li key={keyOf(tool)}>
              <ToolIcon kind={tool.kind} />
              <span className="grow ellipsis">
                <b>{tool.name}</b> <span className="muted">{KIND_LABELS[tool.kind]}</span>
              </span>
              <Switch
                name={tool.name}
                checked={isIn(tools, tool.kind, tool.id)}
                onChange={(on) => toggle(tool, on)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
