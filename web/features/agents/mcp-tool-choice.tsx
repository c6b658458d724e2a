import type { Agent } from "../../api/agents.ts";
import { useMcpTools } from "../../api/mcp-servers.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { Failure } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";

type McpChoice = NonNullable<Agent["tools"]["mcp"]>[number];

interface McpToolChoiceProps {
  serverId: string;
  serverName: string;
  choice: McpChoice;
  onChange: (choice: McpChoice) => void;
}

/** Which tools of a server the agent may call, and whether it asks first. All of them when none is deselected. */
export function McpToolChoice({ serverId, serverName, choice, onChange }: McpToolChoiceProps) {
  const tools = useMcpTools(serverId);
  const names = (tools.data ?? []).map(({ name }) => name);
  return (
    <div className="stack tight">
      <Switch
        label="Ask before a tool runs in the playground"
        checked={choice.permission !== "allow"}
        onChange={(asks) => onChange({ ...choice, permission: asks ? "ask" : "allow" })}
      />
      {tools.error === null ? (
        <CheckboxList
          label={`Tools of ${serverName}`}
          options={(tools.data ?? []).map((tool) => ({
            value: tool.name,
            label: tool.title ?? tool.name,
            description: tool.description.split("\n", 1)[0] ?? "",
          }))}
          selected={choice.tools ?? names}
          onChange={(selected) => {
            const { tools: _all, ...rest } = choice;
            onChange(selected.length === names.length ? rest : { ...rest, tools: [...selected] });
          }}
        />
      ) : (
        <Failure error={tools.error} retry={() => void tools.refetch()} />
      )}
    </div>
  );
}
