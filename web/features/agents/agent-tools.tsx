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
  /** Of a connection, its app. */
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
  const workflows = useWorkflows().data ?? [];
  const documents = useDocuments().data ?? [];
  const collections = useCollections().data ?? [];
  const servers = useMcpServers().data ?? [];
  const connections = useConnections().data ?? [];
  const [seen, setSeen] = useState(saved);
  const [adding, setAdding] = useState(false);
  const [search, setSearch] = useState("");
  const all: Tool[] = [
    ...workflows.map(({ id, name }) => ({ kind: "workflows" as const, id, name })),
    ...documents.map((each) => ({ kind: "documents" as const, id: each.document_id, name: each.title })),
    ...collections.map((each) => ({ kind: "collections" as const, id: each.collection_id, name: each.name })),
    ...servers.map(({ id, name }) => ({ kind: "mcp" as const, id, name })),
    ...connections.flatMap(({ id, name, app }) =>
      app === null ? [] : [{ kind: "apps" as const, id, name, app }],
    ),
  ];
  const isListed = ({ kind, id }: Tool): boolean => isIn(seen, kind, id) || isIn(tools, kind, id);
  function toggle(tool: Tool, on: boolean): void {
    setSeen(withTool(seen, tool));
    onChange(on ? withTool(tools, tool) : withoutTool(tools, tool));
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
            label="Search workflows, documents, MCP servers and apps"
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
              {tool.kind === "apps" &&
                (tools.apps ?? [])
                  .filter(({ connection }) => connection === tool.id)
                  .map((choice) => (
                    <AppToolChoice
                      key={choice.connection}
                      name={tool.name}
                      choice={choice}
                      onChange={(next) =>
                        onChange({
                          ...tools,
                          apps: (tools.apps ?? []).map((each) => (each === choice ? next : each)),
                        })
                      }
                    />
                  ))}
              {tool.kind === "mcp" && isIn(tools, "mcp", tool.id) && (
                <McpToolChoice
                  serverId={tool.id}
                  serverName={tool.name}
                  choice={(tools.mcp ?? []).find(({ server }) => server === tool.id) ?? { server: tool.id }}
                  onChange={(choice) =>
                    onChange({
                      ...tools,
                      mcp: (tools.mcp ?? []).map((each) => (each.server === tool.id ? choice : each)),
                    })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
