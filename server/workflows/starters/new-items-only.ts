import type { Starter } from "./starter.ts";

export const newItemsOnly: Starter = {
  id: "new-items-only",
  name: "Only what is new since the last run",
  description:
    "Compares a list with the ids of the previous run, which the store keeps, and returns the new items. Without a list it uses a small example.",
  category: "data",
  trigger: { kind: "schedule", text: "Every hour", cron: "0 * * * *" },
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        items: { type: "array", title: "Items", description: "Each with an id", items: { type: "object" } },
      },
    },
    steps: [
      {
        stepId: "items",
        type: "transform",
        name: "Take the list",
        expression: 'input.items ? input.items : [{"id": 1, "title": "First"}, {"id": 2, "title": "Second"}]',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "seen",
        type: "store",
        name: "Read what was seen",
        action: "get",
        key: "seen",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "fresh",
        type: "transform",
        name: "Keep what is new",
        expression:
          '($seen := steps.seen.output.value; {"items": [steps.items.output[$not(id in $seen)]], "ids": [steps.items.output.id]})',
        position: { x: 0, y: 280 },
      },
      {
        stepId: "remember",
        type: "store",
        name: "Remember the ids",
        action: "set",
        key: "seen",
        value: "{{steps.fresh.output.ids}}",
        position: { x: 0, y: 420 },
      },
      {
        stepId: "new-items",
        type: "transform",
        name: "Return the new items",
        template: "{{steps.fresh.output.items}}",
        position: { x: 0, y: 560 },
      },
    ],
    edges: [
      { id: "items-seen", source: "items", target: "seen" },
      { id: "seen-fresh", source: "seen", target: "fresh" },
      { id: "fresh-remember", source: "fresh", target: "remember" },
      { id: "remember-new-items", source: "remember", target: "new-items" },
    ],
  },
};
