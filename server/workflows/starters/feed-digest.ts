import type { Starter } from "./starter.ts";

export const feedDigest: Starter = {
  id: "feed-digest",
  name: "Feed digest",
  description: "Collects the items of an RSS or Atom feed in a Markdown file for each day.",
  category: "feeds",
  trigger: { kind: "rss", text: "Each new item adds a line" },
  metadata: {
    steps: [
      {
        stepId: "line",
        type: "transform",
        name: "Write the line",
        template: {
          day: "{{input.published}}",
          text: "- [{{input.title}}]({{input.link}}) ({{input.feed.title}})",
        },
        position: { x: 0, y: 0 },
      },
      {
        stepId: "day",
        type: "transform",
        name: "Find the day",
        expression:
          "steps.line.output.day ? $substring(steps.line.output.day, 0, 10) : $substring($now(), 0, 10)",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "digest",
        type: "file",
        name: "Add it to the digest",
        action: "append",
        path: "digest/{{steps.day.output}}.md",
        content: "{{steps.line.output.text}}\n",
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "line-day", source: "line", target: "day" },
      { id: "day-digest", source: "day", target: "digest" },
    ],
  },
};
