import { at, entriesAt, numberOf, textOf, lookUp } from "../source/parameters.ts";
import type { FieldKeys } from "../data/data.ts";
import { bodyOf, contentTypeOf, pairs } from "./http-body.ts";
import { reportPagination } from "./http-pagination.ts";
import type { SourceNode } from "../source/source.ts";
import type { Converted, NodeContext, NodeKind } from "./node-context.ts";
import { jsonValue } from "./json-value.ts";
import { returnsObject } from "./object-apis.ts";
import { sendMail } from "./mail-node.ts";
import { optionsLeft } from "./options-left.ts";

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
const AUTH: Readonly<Record<string, string>> = {
  httpBasicAuth: "basic",
  basicAuth: "basic",
  httpHeaderAuth: "headers",
  headerAuth: "headers",
  httpQueryAuth: "api_key",
  queryAuth: "api_key",
  httpBearerAuth: "bearer",
  oAuth2Api: "oauth2",
  oAuth2: "oauth2",
  httpDigestAuth: "basic",
  digestAuth: "basic",
  httpCustomAuth: "headers",
};
const EACH: NodeKind["flow"] = () => ({ takes: "item" });

function textsOf(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  );
}

function request(context: NodeContext): Converted {
  const { parameters, node } = context;
  const method = textOf(parameters["method"] ?? parameters["requestMethod"]).toUpperCase() || "GET";
  const isOld = node.version < 3;
  const query = isOld
    ? entriesAt(parameters, "queryParametersUi", "parameter")
    : parameters["sendQuery"] === true
      ? entriesAt(parameters, "queryParameters", "parameters")
      : [];
  const headers = isOld
    ? entriesAt(parameters, "headerParametersUi", "parameter")
    : parameters["sendHeaders"] === true
      ? entriesAt(parameters, "headerParameters", "parameters")
      : [];
  const address = context.text(parameters["url"], "url").trim();
  const url = /^(https?:\/\/|\{\{)/i.test(address)
    ? address
    : address === ""
      ? ""
      : `https://${address.replace(/^\/+/, "")}`;
  const step = {
    type: "http",
    method: METHODS.has(method) ? method : "GET",
    url,
    ...credentialOf(context),
    ...filled(
      "query",
      textsOf({
        ...jsonFields(context, isOld ? "queryParametersJson" : "jsonQuery"),
        ...pairs(context, query, "queryParameters"),
      }),
    ),
    ...filled(
      "headers",
      textsOf({
        ...jsonFields(context, isOld ? "headerParametersJson" : "jsonHeaders"),
        ...contentTypeOf(context, headers),
        ...pairs(context, headers, "headerParameters"),
      }),
    ),
    ...bodyOf(context),
    ...timeoutOf(parameters),
  };
  const format = textOf(
    at(parameters, "options", "response", "response", "responseFormat") ?? parameters["responseFormat"],
  );
  const mayBeText = !isOld && (format === "" || format === "autodetect");
  const isFile = format === "file";
  const isText = format === "text" || format === "string";
  const isFull =
    at(parameters, "options", "response", "response", "fullResponse") === true ||
    at(parameters, "options", "fullResponse") === true;
  reportPagination(context);
  if (at(parameters, "options", "batching") !== undefined) context.note("Batches are not imported.");
  if (isFull) context.note("Gives the body only: n8n also gave the status and the headers.");
  if (
    at(parameters, "options", "response", "response", "neverError") === true ||
    at(parameters, "options", "ignoreResponseCode") === true
  )
    context.check(
      "n8n goes on with the body of a response of any status. Here a status other than 2xx fails the step: add an edge for its error.",
    );
  optionsLeft(context, KNOWN_OPTIONS);
  if (parameters["allowUnauthorizedCerts"] === true)
    context.check("The certificate of the server must be valid here.");
  const splits = isOld ? at(parameters, "options", "splitIntoItems") === true : !isText && !isFile && !isFull;
  const isList = givesList(node);
  if (isList) context.note("The next steps run once for each entry of the response.");
  const property =
    textOf(at(parameters, "options", "response", "response", "outputPropertyName")) ||
    textOf(parameters["dataPropertyName"]) ||
    "data";
  return {
    step: { ...step, ...(isFile && { responseAs: "file" }) },
    ...(splits && !isList && !returnsObject(parameters["url"]) && { mayBeList: true }),
    output: {
      path: [],
      isExact: true,
      mayBeText,
      itemsOf: (output) => entriesScript(output, mayBeText),
      ...(isFull ? { fields: [["body"]], doubtOf: doubtOfResponse } : isText && { fields: [[property]] }),
      ...(isFile && !isFull && { file: property }),
    },
  };
}

/** n8n gives the entries of a list as items, and one item of any other response. */
function givesList({ respondsWithList, version, parameters }: SourceNode): boolean {
  if (respondsWithList !== true) return false;
  if (version < 3) return at(parameters, "options", "splitIntoItems") === true;
  const response = at(parameters, "options", "response", "response");
  const format = textOf(at(response, "responseFormat")) || "autodetect";
  return ["autodetect", "json"].includes(format) && at(response, "fullResponse") !== true;
}

/** A list of items, of a response that may also be one object, nothing or a text. */
function entriesScript(output: string, mayBeText: boolean): string {
  const item = mayBeText ? 'typeof each === "string" ? { data: each } : (each ?? {})' : "each ?? {}";
  return `[${output}].flat().map((each) => (${item}))`;
}

const KNOWN_OPTIONS = [
  "timeout",
  "response",
  "pagination",
  "batching",
  "splitIntoItems",
  "fullResponse",
  "ignoreResponseCode",
];

const filled = (name: string, values: Record<string, unknown>): Record<string, unknown> =>
  Object.keys(values).length === 0 ? {} : { [name]: values };

/** What n8n has of a full response, and a step has not. */
function doubtOfResponse([key]: FieldKeys): string | undefined {
  return key === "body" ? undefined : "The status and the headers of the response cannot be read here.";
}

function jsonFields(context: NodeContext, field: string): Record<string, unknown> {
  const given = context.parameters[field];
  if (given === undefined || given === "") return {};
  const value = jsonValue(context, given, field);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  context.check(`${field} could not be read: enter its fields.`);
  return {};
}

function credentialOf(context: NodeContext): Record<string, unknown> {
  const { parameters } = context;
  const kind = textOf(parameters["authentication"]);
  if (kind === "" || kind === "none") return {};
  const named = textOf(parameters["genericAuthType"]) || textOf(parameters["nodeCredentialType"]) || kind;
  return {
    connection: context.requiredConnection(
      lookUp(AUTH, named) ?? (/oauth/i.test(named) ? "oauth2" : "api_key"),
    ),
  };
}

function timeoutOf(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const timeout = numberOf(at(parameters, "options", "timeout"));
  return timeout !== undefined && timeout >= 1 && timeout <= 3_600_000
    ? { timeoutMs: Math.round(timeout) }
    : {};
}

function graphql(context: NodeContext): Converted {
  const { parameters } = context;
  const variables = parameters["variables"];
  return {
    step: {
      type: "http",
      method: "POST",
      url: context.text(parameters["endpoint"], "endpoint"),
      ...credentialOf(context),
      ...filled(
        "headers",
        textsOf(pairs(context, entriesAt(parameters, "headerParametersUi", "parameter"), "headers")),
      ),
      body: {
        query: context.text(parameters["query"], "query"),
        ...(variables !== undefined &&
          variables !== "" && { variables: jsonValue(context, variables, "variables") }),
      },
    },
  };
}

function feed(context: NodeContext): Converted {
  context.check(
    "Gives the text of the feed as XML in the next step: add a Convert step, or use the feed trigger.",
  );
  return {
    step: { type: "http", method: "GET", url: context.text(context.parameters["url"], "url") },
    output: { path: [], isExact: false },
  };
}

export const httpNodes: Readonly<Record<string, NodeKind>> = {
  httpRequest: {
    flow: (node) => ({ takes: "item", gives: givesList(node) ? "list" : "one" }),
    convert: request,
  },
  graphql: { flow: EACH, convert: graphql },
  rssFeedRead: { flow: EACH, convert: feed },
  emailSend: { flow: EACH, convert: sendMail },
};
