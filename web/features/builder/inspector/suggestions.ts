import { useAgents } from "../../../api/agents.ts";
import { useApprovers } from "../../../api/approvals.ts";
import { useCollections } from "../../../api/collections.ts";
import { useDocuments } from "../../../api/documents.ts";
import { useMcpServers } from "../../../api/mcp-servers.ts";
import { useVariables, type Variable } from "../../../api/variables.ts";
import { useWorkflows } from "../../../api/workflows.ts";
import type { Option } from "../../../ui/field.tsx";

/** The records that fields of a step can refer to: the user's other workflows, agents, documents and variables. */
export interface Suggestions {
  workflows: Option[];
  agents: Option[];
  documents: Option[];
  collections: Option[];
  servers: Option[];
  approvers: Option[];
  /** Undefined while they are loading. */
  variables: Variable[] | undefined;
}

const APPROVER_ROLES: readonly Option[] = [
  { value: "role:admin", label: "Admins and owners" },
  { value: "role:builder", label: "Builders, admins and owners" },
];

export function useSuggestions(workflowId: string): Suggestions {
  const workflows = useWorkflows().data ?? [];
  const agents = useAgents().data ?? [];
  const documents = useDocuments().data ?? [];
  const collections = useCollections().data ?? [];
  const servers = useMcpServers().data ?? [];
  const approvers = useApprovers().data ?? [];
  const variables = useVariables().data;
  return {
    workflows: workflows
      .filter(({ id }) => id !== workflowId)
      .map(({ id, name }) => ({ value: id, label: name })),
    agents: agents.map(({ id, name }) => ({ value: id, label: name })),
    documents: documents.map(({ document_id, title }) => ({ value: document_id, label: title })),
    collections: collections.map(({ collection_id, name }) => ({ value: collection_id, label: name })),
    servers: servers.map(({ id, name }) => ({ value: id, label: name })),
    approvers: [
      ...approvers.map(({ name, email }) => ({
        value: email.toLowerCase(),
        label: name === null ? email : `${name} (${email})`,
      })),
      ...APPROVER_ROLES,
    ],
    variables,
  };
}

/** A field of this name means the same in every step type. */
export function suggestionsFor(suggestions: Suggestions, field: string): Option[] | undefined {
  if (field === "workflowId") return suggestions.workflows;
  if (field === "agentId") return suggestions.agents;
  if (field === "documentIds") return suggestions.documents;
  if (field === "collectionIds") return suggestions.collections;
  if (field === "server") return suggestions.servers;
  if (field === "approvers") return suggestions.approvers;
  return undefined;
}
