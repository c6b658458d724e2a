import { anyValue, choice, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

export const fileStep = defineStepType({
  type: "file",
  title: "File",
  description:
    "Reads, writes, lists or deletes files in your own folder. Paths never lead out of it. A file that is not text is returned as {contentType, base64, bytes}. After a crash the same content may be appended twice.",
  category: "data",
  synonyms: ["save", "read", "write", "disk", "csv", "attachment", "storage"],
  fields: {
    action: choice(
      "The action. Deleting a file that does not exist succeeds; a folder is deleted only when it is empty.",
      ["read", "write", "append", "list", "delete"],
    ),
    path: text("The path of the file or folder, relative to your own folder."),
    content: anyValue(
      "The content: text unchanged, {contentType, base64, bytes} of an earlier step as those bytes, other values as JSON.",
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
