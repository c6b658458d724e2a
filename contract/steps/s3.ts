import { inWords } from "./common.ts";
import { anyValue, choice, connection, fixedChoice, number, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const s3Actions = ["get", "put", "list", "delete", "signed_url"] as const;
export type S3Action = (typeof s3Actions)[number];

const actionWords: Readonly<Record<S3Action, string>> = {
  get: "Read an object",
  put: "Write an object",
  list: "List objects",
  delete: "Delete an object",
  signed_url: "Create a signed URL",
};

type Step = Readonly<Record<string, unknown>>;
const on =
  (...actions: S3Action[]) =>
  ({ action }: Step): boolean =>
    actions.includes(action as S3Action);
const hasKey = (step: Step): boolean => !on("list")(step);

export const s3Step = defineStepType({
  type: "s3",
  title: "S3 storage",
  description:
    "Reads, writes, lists and deletes objects in S3-compatible storage (AWS S3, Cloudflare R2, MinIO, Backblaze …), through a connection, and creates signed URLs. get returns JSON as a value, text as a string, other content as {contentType, base64, bytes}, or with as: file a file for later steps. After a crash the step runs again, which writes the same object once more.",
  category: "data",
  synonyms: ["bucket", "aws", "r2", "minio", "object storage", "upload", "download", "backblaze", "spaces"],
  fields: {
    connection: connection("A connection of kind s3."),
    action: fixedChoice("What to do.", s3Actions),
    bucket: text("The bucket; by default the one of the connection.").optional(),
    key: text("The key of the object, such as reports/2026.csv.").optional(),
    content: anyValue(
      "put: text unchanged, a file of an earlier step or {contentType, base64, bytes} as those bytes, other values as JSON.",
    ).optional(),
    contentType: text("put: the content type; by default the one of the content.").optional(),
    as: choice(
      'get: with "file" the object is streamed into a file {file, name, contentType, size}; "value" by default.',
      ["value", "file"],
    ).optional(),
    prefix: text("list: only keys that begin with this text.").optional(),
    limit: number("list: how many objects, at most 1,000; 1,000 by default.", {
      min: 1,
      max: 1000,
      whole: true,
    }).optional(),
    after: text("list: `next` of the previous list.").optional(),
    method: choice("signed_url: GET to download, PUT to upload; GET by default.", ["GET", "PUT"]).optional(),
    expiresInSeconds: number("signed_url: how long the URL is valid; an hour by default, a week at most.", {
      min: 1,
      max: 604_800,
      whole: true,
    }).optional(),
  },
  literalFields: ["connection"],
  check: (step) => missing(step),
  shortTitle: "S3",
  summary: (step) =>
    [
      actionWords[step["action"] as S3Action] ?? inWords(step["action"]),
      inWords(hasKey(step) ? step["key"] : step["prefix"]),
    ]
      .filter((part) => part !== "")
      .join(": "),
  initial: { action: "get" },
  form: {
    connection: { label: "Connection", example: "conn_…" },
    action: { label: "Action", words: actionWords },
    bucket: { label: "Bucket", example: "reports" },
    key: { label: "Key", common: true, example: "reports/{{input.date}}.csv", applies: hasKey },
    content: {
      label: "Content",
      common: true,
      control: "long",
      example: "Text, or a file of an earlier step",
      applies: on("put"),
    },
    contentType: { label: "Content type", example: "text/csv", applies: on("put") },
    as: { label: "Read as", words: { value: "A value", file: "A file" }, applies: on("get") },
    prefix: { label: "Keys that begin with", common: true, example: "reports/", applies: on("list") },
    limit: { label: "At most", example: "1000", applies: on("list") },
    after: { label: "After", applies: on("list") },
    method: { label: "To", words: { GET: "Download", PUT: "Upload" }, applies: on("signed_url") },
    expiresInSeconds: {
      label: "Valid for",
      control: "seconds",
      example: "1 h",
      applies: on("signed_url"),
    },
  },
  example: {
    stepId: "save-report",
    type: "s3",
    connection: "conn_01j9x3",
    action: "put",
    key: "reports/{{input.date}}.json",
    content: "{{input.report}}",
  },
});

function missing(step: Record<string, unknown>): FieldProblem[] {
  const needed: [field: string, isNeeded: boolean, message: string][] = [
    ["key", hasKey(step), "is required: it is the key of the object"],
    ["content", on("put")(step), "is required: it is what to write"],
  ];
  return needed
    .filter(([field, isNeeded]) => isNeeded && step[field] === undefined)
    .map(([field, , message]) => ({ code: "missing_field", field, message }));
}
