import { useAgents } from "../../../api/agents.ts";
import { useDocuments } from "../../../api/documents.ts";
import { useVariables, type Variable } from "../../../api/variables.ts";
import { useWorkflows } from "../../../api/workflows.ts";

interface Named {
  value: string;
  label: string;
}

/** What fields of steps can name: the person's other workflows, agents, documents and variables. */
export interface Suggestions {
  workflows: Named[];
  agents: Named[];
  documents: Named[];
  variables: Variable[];
}

export function useSuggestions(workflowId: string): Suggestions {
  const workflows = useWorkflows().data ?? [];
  const agents = useAgents().data ?? [];
  const documents = useDocuments().data ?? [];
  const variables = useVariables().data ?? [];
  return {
    workflows: workflows
      .filter(({ id }) => id !== workflowId)
      .map(({ id, name }) => ({ value: id, label: name })),
    agents: agents.map(({ id, name }) => ({ value: id, label: name })),
    documents: documents.map(({ document_id, title }) => ({ value: document_id, label: title })),
    variables,
  };
}

/** By the name that a field has in every type of step. */
export function suggestionsFor(suggestions: Suggestions, field: string): Named[] | undefined {
  if (field === "workflowId") return suggestions.workflows;
  if (field === "agentId") return suggestions.agents;
  if (field === "documentIds") return suggestions.documents;
  return undefined;
}
