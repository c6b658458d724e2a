import { expect, test } from "vitest";
import { atOnce } from "../../lib/in-turns.ts";
import { convertWorkflow } from "../convert.ts";
import { imported } from "../testing/import-nodes.ts";

test("steps have no position, and notes are left of them, the triggers to add first", () => {
  const { workflow } = imported(
    [
      { name: "Start", type: "manualTrigger", position: [0, 0] },
      { name: "Paid", type: "webhook", position: [0, 0], parameters: { httpMethod: "POST", path: "paid" } },
      { name: "Fax", type: "n8n-nodes-other.fax", position: [200, 0], notes: "Ask Mia" },
      {
        name: "Second",
        type: "stickyNote",
        position: [0, 900],
        parameters: { content: "## Later\n**Ask** [Mia](https://a.example)" },
      },
      {
        name: "First",
        type: "stickyNote",
        position: [0, -900],
        parameters: { content: "Long ".repeat(2000) },
      },
      { name: "Frame", type: "stickyNote", position: [0, 0] },
    ],
    { Start: [["Fax"]] },
  );
  const { steps, notes = [] } = workflow.metadata;
  expect(steps.some((each) => "position" in (each as object))).toBe(false);
  expect(notes.map(({ text }) => text.slice(0, 12))).toEqual([
    "Triggers to ",
    "Long Long Lo",
    "Fax: Ask Mia",
    "Later\nAsk Mi",
  ]);
  expect(notes[3]?.text).toBe("Later\nAsk Mia: https://a.example");
  expect(notes[0]?.text).toBe("Triggers to add\n– Paid: webhook POST paid");
  expect(notes.every(({ position, width = 0 }) => position.x + width < 0 && position.y >= 0)).toBe(true);
  // The long note fills a column of its own.
  expect(new Set(notes.map(({ position }) => position.x)).size).toBe(3);
});

test("an error workflow and a time limit are named in a note, because a draft has neither", () => {
  const nodes = [{ name: "Next", type: "n8n-nodes-base.noOp" }];
  const notesWith = (settings: object) =>
    atOnce(convertWorkflow({ nodes, settings }, {})).workflow.metadata.notes?.map(({ text }) => text);
  expect(notesWith({ executionOrder: "v1", executionTimeout: -1 })).toBeUndefined();
  expect(notesWith({ errorWorkflow: "x7", executionTimeout: 60 })).toEqual([
    [
      "Settings to make",
      "– n8n runs an error workflow when this one fails: choose it in the settings of the workflow.",
      "– n8n stops a run after 60 s: set the time limits of the steps.",
    ].join("\n"),
  ]);
});
