import type { Starter } from "./starter.ts";

export const supportChat: Starter = {
  id: "support-chat",
  name: "Support chat",
  description: "Answers people in a chat from your uploaded documents, and keeps what was asked.",
  category: "chat",
  trigger: { kind: "chat", text: "A visitor writes a message" },
  metadata: {
    steps: [
      {
        stepId: "keep",
        type: "file",
        name: "Keep the question",
        action: "append",
        path: "chat/questions.log",
        content: "{{now}} {{input.message}}\n",
        position: { x: 0, y: 0 },
      },
      {
        stepId: "look-up",
        type: "document_query",
        name: "Look it up",
        query: "{{input.message}}",
        history: "{{input.history}}",
        topK: 5,
        position: { x: 0, y: 140 },
      },
    ],
    edges: [{ id: "keep-look-up", source: "keep", target: "look-up" }],
  },
};
