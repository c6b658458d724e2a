import type { Starter } from "./starter.ts";

export const mailTriage: Starter = {
  id: "mail-triage",
  name: "Mail triage",
  description:
    "Sorts the messages of a mailbox by their subject into invoices, urgent ones and the rest, and keeps a list of each kind.",
  category: "mail",
  trigger: { kind: "email", text: "Each new message is sorted" },
  metadata: {
    steps: [
      {
        stepId: "kind",
        type: "transform",
        name: "What is it about?",
        expression:
          '($subject := $lowercase(input.subject ? input.subject : ""); $contains($subject, "invoice") ? "invoices" : ($contains($subject, "urgent") ? "urgent" : "other"))',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "keep",
        type: "file",
        name: "Add it to its list",
        action: "append",
        path: "mail/{{steps.kind.output}}.log",
        content: "{{now}} {{input.from.address}}: {{input.subject}}\n",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "result",
        type: "transform",
        name: "Say where it went",
        template: {
          kind: "{{steps.kind.output}}",
          subject: "{{input.subject}}",
          attachments: "{{input.attachments}}",
        },
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "kind-keep", source: "kind", target: "keep" },
      { id: "keep-result", source: "keep", target: "result" },
    ],
  },
};
