import type { Starter } from "./starter.ts";

export const approvalBeforePublishing: Starter = {
  id: "approval-before-publishing",
  name: "Approval before publishing",
  description:
    "Prepares a post, waits until a person has approved it (three days at most), then publishes it to published/post.md. A rejection ends the run and nothing is published.",
  category: "people",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", title: "Title" },
        text: { type: "string", title: "Text", format: "multiline" },
      },
    },
    steps: [
      {
        stepId: "draft",
        type: "transform",
        name: "Prepare the draft",
        expression:
          '{"title": input.title ? input.title : "Hello from Baton", "text": input.text ? input.text : "This post waited for a person before it went out."}',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "review",
        type: "approval",
        name: "Ask for approval",
        message: "Publish “{{steps.draft.output.title}}”?\n\n{{steps.draft.output.text}}",
        timeoutMs: 259_200_000,
        onTimeout: "reject",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "publish",
        type: "file",
        name: "Publish",
        action: "write",
        path: "published/post.md",
        content:
          "# {{steps.draft.output.title}}\n\n{{steps.draft.output.text}}\n\nApproved by {{steps.review.output.decidedBy}}. {{steps.review.output.comment}}\n",
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "draft-review", source: "draft", target: "review" },
      { id: "review-publish", source: "review", target: "publish" },
    ],
  },
};
