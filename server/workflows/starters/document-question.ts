import type { Starter } from "./starter.ts";

export const documentQuestion: Starter = {
  id: "document-question",
  name: "Document question to email",
  description:
    "Answers a question from your uploaded PDFs, with page references, and sends the answer by email. Without an email address the answer is the result of the run.",
  category: "documents",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string", title: "Question", format: "multiline" },
        email: { type: "string", title: "Send the answer to", format: "email" },
      },
    },
    steps: [
      {
        stepId: "question",
        type: "transform",
        name: "Take the question",
        expression: 'input.question ? input.question : "What are these documents about?"',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "answer",
        type: "document_query",
        name: "Look it up",
        query: "{{steps.question.output}}",
        topK: 5,
        position: { x: 0, y: 140 },
      },
      {
        stepId: "has-address",
        type: "condition",
        name: "Is there an address?",
        left: "{{input.email}}",
        operator: "exists",
        position: { x: 0, y: 280 },
      },
      {
        stepId: "mail",
        type: "email",
        name: "Mail the answer",
        to: "{{input.email}}",
        subject: "Answer: {{steps.question.output}}",
        text: "{{steps.answer.output.answer}}\n\nSources: {{steps.answer.output.sources}}",
        maxRetries: 2,
        position: { x: -160, y: 420 },
      },
      {
        stepId: "show",
        type: "transform",
        name: "Hand the answer back",
        template: "{{steps.answer.output}}",
        position: { x: 160, y: 420 },
      },
    ],
    edges: [
      { id: "question-answer", source: "question", target: "answer" },
      { id: "answer-has-address", source: "answer", target: "has-address" },
      { id: "has-address-mail", source: "has-address", target: "mail", condition: "true" },
      { id: "has-address-show", source: "has-address", target: "show", condition: "false" },
    ],
  },
};
