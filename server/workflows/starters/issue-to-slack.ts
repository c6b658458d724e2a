import type { Starter } from "./starter.ts";

export const issueToSlack: Starter = {
  id: "issue-to-slack",
  name: "New GitHub issues in Slack",
  description:
    "Posts each new issue of a repository to a Slack channel. The variable slack_channel names the channel.",
  category: "apps",
  trigger: { kind: "app", text: "New issue in GitHub" },
  metadata: {
    steps: [
      {
        stepId: "notify",
        type: "app",
        name: "Post to Slack",
        app: "slack",
        action: "send_message",
        input: {
          channel: "{{vars.slack_channel}}",
          text: "New issue: <{{input.url}}|#{{input.number}} {{input.title}}> by {{input.author}}",
        },
        maxRetries: 2,
        position: { x: 0, y: 0 },
      },
    ],
    edges: [],
  },
};
