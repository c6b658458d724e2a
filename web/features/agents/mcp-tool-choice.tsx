import type { Agent } from "../../api/agents.ts";
import { useMcpTools } from "../../api/mcp-servers.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { Failure } from "../../ui/states.tsx";

type McpChoice = NonNullable<Agent["tools"]["mcp"]>[number];

/** Agents without a permission, from before tools asked elsewhere, keep theirs. */
const PERMISSIONS: readonly (readonly [string, string])[] = [
  ["ask", "Ask a person first"],
  ["", "Ask in the playground only"],
  ["allow", "Allow"],
];

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
      <label className="stack tight small">
        <span>Before a tool runs</span>
        <select
          className="in"
          value={choice.permission ?? ""}
          onChange={({ target: { value } }) => {
            const { permission: _old, ...rest } = choice;
            onChange(value === "" ? rest : { ...rest, permission: value as "ask" | "allow" });
          }}
        >
          {PERMISSIONS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
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
