import type { Starter } from "./starter.ts";

export const agentResearch: Starter = {
  id: "agent-research",
  name: "Research with an agent",
  description:
    "Hands a question to an agent of yours that can do “research” and keeps its answer in research/notes.md.",
  category: "agents",
  metadata: {
    inputSchema: {
      type: "object",
      properties: { question: { type: "string", title: "Question", format: "multiline" } },
    },
    steps: [
      {
        stepId: "question",
        type: "transform",
        name: "Take the question",
        expression: 'input.question ? input.question : "What should you know before you automate a process?"',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "research",
        type: "agent",
        name: "Let the agent work",
        capability: "research",
        input:
          "Answer this question in at most ten sentences, and say what you are not sure of: {{steps.question.output}}",
        maxRetries: 1,
        timeoutMs: 300_000,
        position: { x: 0, y: 140 },
      },
      {
        stepId: "notes",
        type: "file",
        name: "Keep the notes",
        action: "append",
        path: "research/notes.md",
        content: "## {{steps.question.output}}\n\n{{steps.research.output}}\n\n",
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "question-research", source: "question", target: "research" },
      { id: "research-notes", source: "research", target: "notes" },
    ],
  },
};
