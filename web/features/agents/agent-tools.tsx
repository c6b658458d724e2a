import { Blocks, FileText, Folder, Plug, Plus, Workflow } from "lucide-react";
import { useState } from "react";
import type { Agent } from "../../api/agents.ts";
import { useCollections } from "../../api/collections.ts";
import { useConnections } from "../../api/connections.ts";
import { useDocuments } from "../../api/documents.ts";
import { useMcpServers } from "../../api/mcp-servers.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { PickList } from "../../ui/pick-list.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Switch } from "../../ui/switch.tsx";
import { AppToolChoice } from "./app-tool-choice.tsx";
import { McpToolChoice } from "./mcp-tool-choice.tsx";

type Tools = Agent["tools"];
type ToolKind = Exclude<keyof Tools, "memory">;

const KIND_LABELS: Record<ToolKind, string> = {
  workflows: "asks first",
  documents: "document",
  collections: "collection",
  mcp: "MCP server",
  apps: "app",
};

interface Tool {
  kind: ToolKind;
  id: string;
  name: string;
  /** The app of a connection. */
  app?: string;
}

/** A longer list is searched. */
const SHOWN = 50;

function idsOf(tools: Tools, kind: ToolKind): string[] {
  if (kind === "mcp") return (tools.mcp ?? []).map(({ server }) => server);
  if (kind === "apps") return (tools.apps ?? []).map(({ connection }) => connection);
  return tools[kind] ?? [];
}
const isIn = (tools: Tools, kind: ToolKind, id: string): boolean => idsOf(tools, kind).includes(id);

function withTool(tools: Tools, { kind, id, app = "" }: Tool): Tools {
  if (isIn(tools, kind, id)) return tools;
  if (kind === "apps") return { ...tools, apps: [...(tools.apps ?? []), { app, connection: id }] };
  if (kind === "mcp") return { ...tools, mcp: [...(tools.mcp ?? []), { server: id, permission: "ask" }] };
  return { ...tools, [kind]: [...(tools[kind] ?? []), id] };
}

function withoutTool(tools: Tools, { kind, id }: Tool): Tools {
  if (kind === "mcp") return { ...tools, mcp: (tools.mcp ?? []).filter(({ server }) => server !== id) };
  if (kind === "apps")
    return { ...tools, apps: (tools.apps ?? []).filter(({ connection }) => connection !== id) };
  return { ...tools, [kind]: (tools[kind] ?? []).filter((each) => each !== id) };
}

const keyOf = ({ kind, id }: Tool): string => `${kind}/${id}`;

function ToolIcon({ kind }: { kind: ToolKind }) {
  if (kind === "collections") return <Folder size={14} />;
  if (kind === "mcp") return <Plug size={14} />;
  if (kind === "apps") return <Blocks size={14} />;
  return kind === "workflows" ? <Workflow size={14} /> : <FileText size={14} />;
}

interface AgentToolsProps {
  saved: Tools;
  tools: Tools;
  onChange: (tools: Tools) => void;
}

/** A switched-off tool stays in the list until the agent is saved or the screen is left. */
export function AgentTools({ saved, tools, onChange }: AgentToolsProps) {
  const [seen, setSeen] = useState(saved);
  const all = useAllTools();
  const isListed = ({ kind, id }: Tool): boolean => isIn(seen, kind, id) || isIn(tools, kind, id);
  const listed = all.filter(isListed);
  function toggle(tool: Tool, on: boolean): void {
    setSeen(withTool(seen, tool));
    onChange(on ? withTool(tools, tool) : withoutTool(tools, tool));
  }
  return (
    <div className="stack tight">
      <div className="row">
        <b className="grow small">Tools</b>
        <AddTool tools={all.filter((tool) => !isListed(tool))} onAdd={(tool) => toggle(tool, true)} />
      </div>
      <div className="row">
        <span className="grow small">
          <b>Memory</b> <span className="muted">remembers values between its runs</span>
        </span>
        <Switch
          name="Memory"
          checked={tools.memory ?? false}
          onChange={(on) => onChange({ ...tools, memory: on })}
        />
      </div>
      {listed.length === 0 ? (
        <p className="muted small">
          Add workflows that the agent may run, documents that it may search, and MCP servers and connections
          of apps whose tools it may use.
        </p>
      ) : (
        <ul className="tool-list">
          {listed.map((tool) => (
            <li
              key={keyOf(tool)}
              className={tool.kind === "mcp" || tool.kind === "apps" ? "wraps" : undefined}
            >
              <ToolIcon kind={tool.kind} />
              <span className="grow ellipsis">
                <b>{tool.name}</b> <span className="muted">{KIND_LABELS[tool.kind]}</span>
              </span>
              <Switch
                name={tool.name}
                checked={isIn(tools, tool.kind, tool.id)}
                onChange={(on) => toggle(tool, on)}
              />
              <ToolChoice tool={tool} tools={tools} onChange={onChange} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Everything in the workspace that an agent can use. */
function useAllTools(): Tool[] {
  const workflows = useWorkflows().data ?? [];
  const documents = useDocuments().data ?? [];
  const collections = useCollections().data ?? [];
  const servers = useMcpServers().data ?? [];
  const connections = useConnections().data ?? [];
  return [
    ...workflows.map(({ id, name }) => ({ kind: "workflows" as const, id, name })),
    ...documents.map((each) => ({ kind: "documents" as const, id: each.document_id, name: each.title })),
    ...collections.map((each) => ({ kind: "collections" as const, id: each.collection_id, name: each.name })),
    ...servers.map(({ id, name }) => ({ kind: "mcp" as const, id, name })),
    ...connections.flatMap(({ id, name, app }) =>
      app === null ? [] : [{ kind: "apps" as const, id, name, app }],
    ),
  ];
}

function AddTool({ tools, onAdd }: { tools: readonly Tool[]; onAdd: (tool: Tool) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  return (
    <Popover
      label="Add a tool"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button type="button" className="btn tiny ghost">
          <Plus size={13} /> Add
        </button>
      }
    >
      <PickList
        label="Search workflows, documents, MCP servers and apps"
        text={search}
        onText={setSearch}
        items={tools
          .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
          .slice(0, SHOWN)
          .map((tool) => ({ key: keyOf(tool), title: tool.name, icon: <ToolIcon kind={tool.kind} /> }))}
        emptyMessage="Nothing to add"
        onPick={(key) => {
          const tool = tools.find((each) => keyOf(each) === key);
          if (tool !== undefined) onAdd(tool);
          setOpen(false);
          setSearch("");
        }}
      />
    </Popover>
  );
}

interface ToolChoiceProps {
  tool: Tool;
  tools: Tools;
  onChange: (tools: Tools) => void;
}

/** Which tools of an app or an MCP server the agent may use. */
function ToolChoice({ tool, tools, onChange }: ToolChoiceProps) {
  if (tool.kind === "apps") {
    const apps = tools.apps ?? [];
    const choice = apps.find(({ connection }) => connection === tool.id);
    if (choice === undefined) return null;
    return (
      <AppToolChoice
        name={tool.name}
        choice={choice}
        onChange={(next) => onChange({ ...tools, apps: apps.map((each) => (each === choice ? next : each)) })}
      />
    );
  }
  if (tool.kind !== "mcp") return null;
  const servers = tools.mcp ?? [];
  const choice = servers.find(({ server }) => server === tool.id);
  if (choice === undefined) return null;
  return (
    <McpToolChoice
      serverId={tool.id}
      serverName={tool.name}
      choice={choice}
      onChange={(next) => onChange({ ...tools, mcp: servers.map((each) => (each === choice ? next : each)) })}
    />
  );
}
