import { textOf } from "../source/parameters.ts";
import { keysOf } from "./list-code.ts";
import type { Converted, NodeContext, NodeKind } from "./node-context.ts";

function redis(context: NodeContext): Converted {
  const { parameters } = context;
  const operation = textOf(parameters["operation"]) || "info";
  const step = { type: "redis", connection: context.requiredConnection("database") };
  const key = context.text(parameters["key"] ?? parameters["list"], "key");
  const name = textOf(parameters["propertyName"]) || "propertyName";
  const expires =
    parameters["expire"] === true ? { expiresInMs: timesThousand(context, parameters["ttl"] ?? 60) } : {};
  if (
    operation !== "get" &&
    operation !== "set" &&
    operation !== "delete" &&
    operation !== "incr" &&
    operation !== "push" &&
    operation !== "pop" &&
    operation !== "publish"
  )
    return { step: undefined };
  if (operation === "get" && !["", "automatic", "string"].includes(textOf(parameters["keyType"])))
    context.check("It reads a text. n8n reads a list, a set or a hash here.");
  const fields: Readonly<Record<string, Record<string, unknown>>> = {
    get: { command: "get", key },
    set: { command: "set", key, value: context.value(parameters["value"] ?? "", "value"), ...expires },
    delete: { command: "delete", key },
    incr: { command: "increment", key },
    push: {
      command: "list_push",
      key,
      value: context.value(parameters["messageData"] ?? "", "messageData"),
      side: parameters["tail"] === true ? "right" : "left",
    },
    pop: { command: "list_pop", key, side: parameters["tail"] === true ? "right" : "left" },
    publish: {
      command: "publish",
      channel: context.text(parameters["channel"], "channel"),
      value: context.value(parameters["messageData"] ?? "", "messageData"),
    },
  };
  return {
    step: { ...step, ...fields[operation] },
    output:
      operation === "get"
        ? { path: [], isExact: true, fields: [keysOf(name)] }
        : { path: [], isExact: false },
  };
}

function timesThousand(context: NodeContext, value: unknown): unknown {
  return typeof value === "number"
    ? Math.max(1, Math.round(value * 1000))
    : `{{= Number(${context.script(value, "ttl")}) * 1000 }}`;
}

function s3(context: NodeContext): Converted {
  const { parameters } = context;
  const actions: Readonly<Record<string, string>> = {
    upload: "put",
    download: "get",
    delete: "delete",
    getAll: "list",
  };
  const operation = textOf(parameters["operation"]) || "download";
  const action = actions[operation];
  if (action === undefined || (parameters["resource"] ?? "file") !== "file") return { step: undefined };
  const key = context.text(parameters["fileKey"] ?? parameters["fileName"], "fileKey");
  const bucket = context.text(parameters["bucketName"], "bucketName");
  if (action === "put") context.check("Choose the content: n8n took it from the binary data of the item.");
  return {
    step: {
      type: "s3",
      connection: context.requiredConnection("s3"),
      action,
      ...(bucket !== "" && { bucket }),
      ...(action === "list" ? {} : { key: key || "choose-a-key" }),
      ...(action === "put" && {
        content:
          parameters["binaryData"] === false
            ? context.value(parameters["fileContent"], "fileContent")
            : context.current(),
      }),
      ...(action === "get" && { as: "file" }),
    },
    output: { path: [], isExact: false },
  };
}

const flow: NodeKind["flow"] = () => ({ takes: "item" });

export const storageNodes: Readonly<Record<string, NodeKind>> = {
  redis: { flow, convert: redis },
  s3: { flow, convert: s3 },
  awsS3: { flow, convert: s3 },
};
