import type { Starter } from "./starter.ts";

export const repeatUntil: Starter = {
  id: "repeat-until",
  name: "Repeat until done",
  description:
    "Repeats a step with the result of the time before until a condition is met: how many years a sum needs to double.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: { interest: { type: "number", title: "Interest in percent", default: 5 } },
    },
    steps: [
      {
        stepId: "years",
        type: "while",
        name: "Until doubled",
        left: "{{item}}",
        operator: "lt",
        right: 200,
        initial: 100,
        maxIterations: 500,
        steps: [
          {
            stepId: "year",
            type: "transform",
            expression: "item * (1 + (input.interest ? input.interest : 5) / 100)",
          },
        ],
        position: { x: 0, y: 0 },
      },
      {
        stepId: "answer",
        type: "transform",
        name: "Say it",
        template: "{{steps.years.output.iterations}} years",
        position: { x: 0, y: 140 },
      },
    ],
    edges: [{ id: "years-answer", source: "years", target: "answer" }],
  },
};
