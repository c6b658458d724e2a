import type { RunnableWorkflow } from "../engine/engine-api.ts";

/** The graph that a question of an agent to its documents runs. It comes with the program and is nobody's own. */
export const askDocumentsWorkflow: RunnableWorkflow = {
  id: "ask_documents",
  ownerId: "",
  name: "Ask documents",
  version: 1,
  graph: {
    steps: [
      {
        stepId: "ask",
        type: "document_query",
        query: "{{input.query}}",
        documentIds: "{{input.documentIds}}",
      },
    ],
    edges: [],
  },
};
