import type { Starter } from "./starter.ts";

export const retryWithErrorPath: Starter = {
  id: "retry-with-error-path",
  name: "Retry with error path",
  description:
    "Calls a URL up to three times with increasing delays. If it still fails, the run takes the error path, writes the reason to errors/calls.log and completes. By default it calls a closed port, so that you can watch it fail.",
  category: "flow",
  metadata: {
    inputSchema: {
      type: "object",
      properties: { url: { type: "string", format: "uri", title: "URL" } },
    },
    steps: [
      {
        stepId: "target",
        type: "transform",
        name: "Choose the address",
        expression: 'input.url ? input.url : "http://127.0.0.1:9/"',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "call",
        type: "http",
        name: "Call it, three times at most",
        method: "GET",
        url: "{{steps.target.output}}",
        maxRetries: 2,
        backoffMultiplier: 2,
        timeoutMs: 10_000,
        position: { x: 0, y: 140 },
      },
      {
        stepId: "answer",
        type: "transform",
        name: "Hand on the answer",
        template: { reached: true, answer: "{{steps.call.output}}" },
        position: { x: -160, y: 280 },
      },
      {
        stepId: "note",
        type: "file",
        name: "Note the failure",
        action: "append",
        path: "errors/calls.log",
        content: "{{now}} {{steps.target.output}}: {{steps.call.error.message}}\n",
        position: { x: 160, y: 280 },
      },
      {
        stepId: "apology",
        type: "transform",
        name: "Answer without it",
        template: { reached: false, reason: "{{steps.call.error.message}}" },
        position: { x: 160, y: 420 },
      },
    ],
    edges: [
      { id: "target-call", source: "target", target: "call" },
      { id: "call-answer", source: "call", target: "answer" },
      { id: "call-note", source: "call", target: "note", condition: "error" },
      { id: "note-apology", source: "note", target: "apology" },
    ],
  },
};
