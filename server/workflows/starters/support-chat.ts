import type { Starter } from "./starter.ts";

export const supportChat: Starter = {
  id: "support-chat",
  name: "Support chat",
  description:
    "Answers people in a chat from your uploaded documents, and keeps what was asked. Add a chat trigger and give its address to your visitors.",
  category: "chat",
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
        topK: 5,
        position: { x: 0, y: 140 },
      },
      {
        stepId: "answer",
        type: "transform",
        name: "Answer",
        template: "{{steps.look-up.output.answer}}",
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "keep-look-up", source: "keep", target: "look-up" },
      { id: "look-up-answer", source: "look-up", target: "answer" },
    ],
  },
};
