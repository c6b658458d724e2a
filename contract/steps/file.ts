import { inWords } from "./common.ts";
import { anyValue, choice, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

const actionWords: Readonly<Record<string, string>> = {
  read: "Read",
  write: "Write",
  append: "Append to",
  list: "List",
  delete: "Delete",
};
const needsContent: ReadonlySet<unknown> = new Set(["write", "append"]);

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
      "The content: text unchanged, a file of an earlier step or {contentType, base64, bytes} as those bytes, other values as JSON.",
    ).optional(),
    as: choice(
      'With "file", read returns a reference {file, name, contentType, size} for later steps in place of the content; "value" by default.',
      ["value", "file"],
    ).optional(),
  },
  check: (step) =>
    needsContent.has(step["action"]) && step["content"] === undefined
      ? [
          {
            code: "missing_field",
            field: "content",
            message: `is required to ${String(step["action"])} a file`,
          },
        ]
      : [],
  summary: ({ action, path }) => `${actionWords[String(action)] ?? inWords(action)} ${inWords(path)}`,
  initial: { action: "read" },
  form: {
    action: { label: "Action", words: actionWords },
    path: { label: "Path", example: "reports/latest.txt" },
    content: {
      label: "Content",
      control: "long",
      common: true,
      example: "Text, or a value of an earlier step",
      applies: ({ action }) => action === undefined || needsContent.has(action),
    },
    as: {
      label: "Read as",
      words: { value: "A value", file: "A file" },
      applies: ({ action }) => action === undefined || action === "read",
    },
  },
  example: {
    stepId: "save-report",
    type: "file",
    action: "write",
    path: "reports/latest.txt",
    content: "{{input.report}}",
  },
});
