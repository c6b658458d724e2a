import { at, entriesAt, numberOf, textOf, lookUp } from "../source/parameters.ts";
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

function pairs(
  context: NodeContext,
  list: readonly Readonly<Record<string, unknown>>[],
  field: string,
): Record<string, unknown> {
  return Object.fromEntries(
    list
      .map(({ name, value }, index) => [
        context.text(name, `${field}.${index}.name`),
        context.value(value ?? "", `${field}.${textOf(name) || index}`),
      ])
      .filter(([name]) => name !== ""),
  );
}

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
    ...bodyOf(context, isOld),
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
  if (at(parameters, "options", "pagination", "pagination", "paginationMode") !== undefined)
    context.check("Pagination is not imported: put the step into a Repeat while.");
  if (at(parameters, "options", "batching") !== undefined) context.note("Batches are not imported.");
  if (isFull) context.check("Gives the body only: n8n also gave the status and the headers.");
  if (
    at(parameters, "options", "response", "response", "neverError") === true ||
    at(parameters, "options", "ignoreResponseCode") === true
  )
    context.check("A status other than 2xx fails this step: let it continue on failure.");
  optionsLeft(context, KNOWN_OPTIONS);
  if (isOld && parameters["sendBinaryData"] === true)
    context.check("Choose the file to send: n8n took it from the binary data of the item.");
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
      ...(isFull ? { fields: [["body"]] } : isText && { fields: [[property]] }),
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

/** Of a body that is text, unless a header names it. */
function contentTypeOf(
  { parameters, text }: NodeContext,
  headers: readonly Readonly<Record<string, unknown>>[],
): Record<string, unknown> {
  const isNamed = headers.some(({ name }) => textOf(name).toLowerCase() === "content-type");
  if (isNamed || parameters["sendBody"] !== true || parameters["contentType"] !== "raw") return {};
  const type = text(parameters["rawContentType"], "rawContentType");
  return type === "" ? {} : { "content-type": type };
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

function bodyOf(context: NodeContext, isOld: boolean): Record<string, unknown> {
  const { parameters } = context;
  if (isOld) {
    const fields = entriesAt(parameters, "bodyParametersUi", "parameter");
    if (textOf(parameters["bodyParametersJson"]) !== "")
      return { body: jsonValue(context, parameters["bodyParametersJson"], "bodyParametersJson") };
    return fields.length === 0 ? {} : { body: pairs(context, fields, "bodyParametersUi") };
  }
  if (parameters["sendBody"] !== true) return {};
  const type = textOf(parameters["contentType"]) || "json";
  const fields = pairs(context, entriesAt(parameters, "bodyParameters", "parameters"), "bodyParameters");
  const isText = textOf(parameters["specifyBody"]) === "json" || parameters["jsonBody"] !== undefined;
  if (type === "json")
    return { body: isText ? jsonValue(context, parameters["jsonBody"] ?? {}, "jsonBody") : fields };
  if (type === "raw") return { body: context.text(parameters["body"], "body") };
  if (type === "multipart-form-data") {
    if (
      entriesAt(parameters, "bodyParameters", "parameters").some(
        ({ parameterType }) => parameterType === "formBinaryData",
      )
    )
      context.check("Choose the file of the form: n8n took it from the binary data of the item.");
    return { multipart: fields };
  }
  if (type === "binaryData") {
    context.check("Choose the file to send: n8n took it from the binary data of the item.");
    return { body: context.current() };
  }
  // The fields of a form are sent in the query syntax.
  const form = Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${String(value)}`)
    .join("&");
  context.check(
    "Form fields are sent as text: values must be URL-encoded. Add the header content-type: application/x-www-form-urlencoded.",
  );
  return { body: isText ? context.text(parameters["body"], "body") : form };
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
