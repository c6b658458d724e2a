import type { RunnableWorkflow } from "../engine/engine-api.ts";

/** The built-in graph of an agent's question to its documents. */
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
        collectionIds: "{{input.collectionIds}}",
      },
    ],
    edges: [],
  },
};
