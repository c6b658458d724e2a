import type { Starter } from "./starter.ts";

export const switchByKind: Starter = {
  id: "switch-by-kind",
  name: "Switch by kind",
  description:
    "Sorts incoming messages: invoices, complaints and everything else each go their own way and end in a file of their own kind.",
  category: "flow",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        kind: { type: "string", title: "Kind", description: "invoice, complaint or anything else" },
        text: { type: "string", title: "Text", format: "multiline" },
      },
    },
    steps: [
      {
        stepId: "by-kind",
        type: "switch",
        name: "What is it?",
        value: "{{input.kind}}",
        position: { x: 0, y: 0 },
      },
      way(
        "invoice",
        "An invoice",
        { folder: "invoices", answer: "Thank you, we will pay it.", urgent: false },
        -260,
      ),
      way(
        "complaint",
        "A complaint",
        { folder: "complaints", answer: "We are sorry. We will look into it today.", urgent: true },
        0,
      ),
      way(
        "other",
        "Anything else",
        { folder: "other", answer: "Thank you, we received your message.", urgent: false },
        260,
      ),
      {
        stepId: "reply",
        type: "transform",
        name: "Use the chosen reply",
        expression:
          "steps.invoice.output ? steps.invoice.output : (steps.complaint.output ? steps.complaint.output : steps.other.output)",
        position: { x: 0, y: 280 },
      },
      {
        stepId: "file",
        type: "file",
        name: "Put it away",
        action: "append",
        path: "messages/{{steps.reply.output.folder}}.log",
        content: "{{now}} {{input.text}}\n",
        position: { x: 0, y: 420 },
      },
      {
        stepId: "answer",
        type: "transform",
        name: "Answer",
        template: "{{steps.reply.output}}",
        position: { x: 0, y: 560 },
      },
    ],
    edges: [
      { id: "kind-invoice", source: "by-kind", target: "invoice", caseValue: "invoice" },
      { id: "kind-complaint", source: "by-kind", target: "complaint", caseValue: "complaint" },
      { id: "kind-other", source: "by-kind", target: "other", label: "otherwise" },
      { id: "invoice-reply", source: "invoice", target: "reply" },
      { id: "complaint-reply", source: "complaint", target: "reply" },
      { id: "other-reply", source: "other", target: "reply" },
      { id: "reply-file", source: "reply", target: "file" },
      { id: "file-answer", source: "file", target: "answer" },
    ],
  },
};

function way(stepId: string, name: string, template: Record<string, unknown>, x: number) {
  return { stepId, type: "transform", name, template, position: { x, y: 140 } };
}
