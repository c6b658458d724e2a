import { anyValue, choice, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const fileStep = defineStepType({
  type: "file",
  title: "File",
  description:
    "Reads, writes, lists or deletes files in your own folder. Paths never lead out of it. A file that is no text comes out as {contentType, base64, bytes}. Appending may happen twice when a run is cut off in the middle and goes on.",
  category: "data",
  fields: {
    action: choice(
      "What to do with the file. Deleting what is not there succeeds; a folder is deleted only when it is empty.",
      ["read", "write", "append", "list", "delete"],
    ),
    path: text("The file or folder, counted from your own folder."),
    content: anyValue(
      "What to write or append: text as it is, a {contentType, base64, bytes} of an earlier step as those bytes, anything else as JSON.",
    ).optional(),
  },
  check: (step) =>
    (step["action"] === "write" || step["action"] === "append") && step["content"] === undefined
      ? [{ code: "missing_field", field: "content", message: `is required to ${step["action"]} a file` }]
      : [],
  example: {
    stepId: "save-report",
    type: "file",
    action: "write",
    path: "reports/latest.txt",
    content: "{{input.report}}",
  },
});
