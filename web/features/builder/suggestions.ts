import { useQuery } from "@tanstack/react-query";
import type { Variable } from "../../../contract/variables.ts";
import { call } from "../../api/client.ts";
import { useWorkflows } from "../../api/workflows.ts";

interface Named {
  value: string;
  label: string;
}

/** What fields of steps can name: the person's other workflows, agents and variables. */
export interface Suggestions {
  workflows: Named[];
  agents: Named[];
  variables: Variable[];
}

export function useSuggestions(workflowId: string): Suggestions {
  const workflows = useWorkflows();
  const agents = useQuery({
    queryKey: ["agents"],
    queryFn: () => call<{ agents: { id: string; name: string }[] }>("/api/agents?limit=200"),
    staleTime: 30_000,
  });
  const variables = useQuery({
    queryKey: ["variables"],
    queryFn: () => call<{ variables: Variable[] }>("/api/variables?limit=200"),
    staleTime: 30_000,
  });
  return {
    workflows: (workflows.data ?? [])
      .filter(({ id }) => id !== workflowId)
      .map(({ id, name }) => ({ value: id, label: name })),
    agents: (agents.data?.agents ?? []).map(({ id, name }) => ({ value: id, label: name })),
    variables: variables.data?.variables ?? [],
  };
}

export function suggestionsFor(suggestions: Suggestions, field: string): Named[] | undefined {
  if (field === "workflowId") return suggestions.workflows;
  if (field === "agentId") return suggestions.agents;
  return undefined;
}
