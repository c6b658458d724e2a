import { at, entriesAt, numberOf, textOf, lookUp } from "../source/parameters.ts";
import type { Converted, NodeKind, Tools } from "./tools.ts";
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
  tools: Tools,
  list: readonly Readonly<Record<string, unknown>>[],
  field: string,
): Record<string, unknown> {
  return Object.fromEntries(
    list
      .map(({ name, value }, index) => [
        tools.text(name, `${field}.${index}.name`),
        tools.value(value ?? "", `${field}.${textOf(name) || index}`),
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

function request(tools: Tools): Converted {
  const { parameters, node } = tools;
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
  const address = tools.text(parameters["url"], "url").trim();
  const url = /^(https?:\/\/|\{\{)/i.test(address)
    ? address
    : address === ""
      ? ""
      : `https://${address.replace(/^\/+/, "")}`;
  const step = {
    type: "http",
    method: METHODS.has(method) ? method : "GET",
    url,
    ...credentialOf(tools),
    ...filled(
      "query",
      textsOf({
        ...jsonFields(tools, isOld ? "queryParametersJson" : "jsonQuery"),
        ...pairs(tools, query, "queryParameters"),
      }),
    ),
    ...filled(
      "headers",
      textsOf({
        ...jsonFields(tools, isOld ? "headerParametersJson" : "jsonHeaders"),
        ...contentTypeOf(tools, headers),
        ...pairs(tools, headers, "headerParameters"),
      }),
    ),
    ...bodyOf(tools, isOld),
    ...timeoutOf(parameters),
  };
  const format = textOf(
    at(parameters, "options", "response", "response", "responseFormat") ?? parameters["responseFormat"],
  );
  const isFile = format === "file";
  const isText = format === "text" || format === "string";
  const isFull =
    at(parameters, "options", "response", "response", "fullResponse") === true ||
    at(parameters, "options", "fullResponse") === true;
  if (at(parameters, "options", "pagination", "pagination", "paginationMode") !== undefined)
    tools.check("Pagination is not imported: put the step into a Repeat while.");
  if (at(parameters, "options", "batching") !== undefined) tools.note("Batches are not imported.");
  if (isFull) tools.check("Gives the body only: n8n also gave the status and the headers.");
  if (
    at(parameters, "options", "response", "response", "neverError") === true ||
    at(parameters, "options", "ignoreResponseCode") === true
  )
    tools.check("A status other than 2xx fails this step: let it continue on failure.");
  optionsLeft(tools, KNOWN_OPTIONS);
  if (isOld && parameters["sendBinaryData"] === true)
    tools.check("Choose the file to send: n8n took it from the binary data of the item.");
  if (parameters["allowUnauthorizedCerts"] === true)
    tools.check("The certificate of the server must be valid here.");
  const splits = isOld ? at(parameters, "options", "splitIntoItems") === true : !isText && !isFile && !isFull;
  const property =
    textOf(at(parameters, "options", "response", "response", "outputPropertyName")) ||
    textOf(parameters["dataPropertyName"]) ||
    "data";
  return {
    step: { ...step, ...(isFile && { responseAs: "file" }) },
    ...(splits && !returnsObject(parameters["url"]) && { mayBeList: true }),
    output: {
      path: [],
      isExact: true,
      mayBeText: !isOld && (format === "" || format === "autodetect"),
      ...(isFull ? { fields: [["body"]] } : isText && { fields: [[property]] }),
    },
  };
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
  { parameters, text }: Tools,
  headers: readonly Readonly<Record<string, unknown>>[],
): Record<string, unknown> {
  const isNamed = headers.some(({ name }) => textOf(name).toLowerCase() === "content-type");
  if (isNamed || parameters["sendBody"] !== true || parameters["contentType"] !== "raw") return {};
  const type = text(parameters["rawContentType"], "rawContentType");
  return type === "" ? {} : { "content-type": type };
}

function jsonFields(tools: Tools, field: string): Record<string, unknown> {
  const given = tools.parameters[field];
  if (given === undefined || given === "") return {};
  const value = jsonValue(tools, given, field);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  tools.check(`${field} could not be read: enter its fields.`);
  return {};
}

function bodyOf(tools: Tools, isOld: boolean): Record<string, unknown> {
  const { parameters } = tools;
  if (isOld) {
    const fields = entriesAt(parameters, "bodyParametersUi", "parameter");
    if (textOf(parameters["bodyParametersJson"]) !== "")
      return { body: jsonValue(tools, parameters["bodyParametersJson"], "bodyParametersJson") };
    return fields.length === 0 ? {} : { body: pairs(tools, fields, "bodyParametersUi") };
  }
  if (parameters["sendBody"] !== true) return {};
  const type = textOf(parameters["contentType"]) || "json";
  const fields = pairs(tools, entriesAt(parameters, "bodyParameters", "parameters"), "bodyParameters");
  const isText = textOf(parameters["specifyBody"]) === "json" || parameters["jsonBody"] !== undefined;
  if (type === "json")
    return { body: isText ? jsonValue(tools, parameters["jsonBody"] ?? {}, "jsonBody") : fields };
  if (type === "raw") return { body: tools.text(parameters["body"], "body") };
  if (type === "multipart-form-data") {
    if (
      entriesAt(parameters, "bodyParameters", "parameters").some(
        ({ parameterType }) => parameterType === "formBinaryData",
      )
    )
      tools.check("Choose the file of the form: n8n took it from the binary data of the item.");
    return { multipart: fields };
  }
  if (type === "binaryData") {
    tools.check("Choose the file to send: n8n took it from the binary data of the item.");
    return { body: tools.current() };
  }
  // The fields of a form are sent in the query syntax.
  const form = Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${String(value)}`)
    .join("&");
  tools.check(
    "Form fields are sent as text: values must be URL-encoded. Add the header content-type: application/x-www-form-urlencoded.",
  );
  return { body: isText ? tools.text(parameters["body"], "body") : form };
}

function credentialOf(tools: Tools): Record<string, unknown> {
  const { parameters } = tools;
  const kind = textOf(parameters["authentication"]);
  if (kind === "" || kind === "none") return {};
  const named = textOf(parameters["genericAuthType"]) || textOf(parameters["nodeCredentialType"]) || kind;
  return {
    connection: tools.requiredConnection(
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

function graphql(tools: Tools): Converted {
  const { parameters } = tools;
  const variables = parameters["variables"];
  return {
    step: {
      type: "http",
      method: "POST",
      url: tools.text(parameters["endpoint"], "endpoint"),
      ...credentialOf(tools),
      ...filled(
        "headers",
        textsOf(pairs(tools, entriesAt(parameters, "headerParametersUi", "parameter"), "headers")),
      ),
      body: {
        query: tools.text(parameters["query"], "query"),
        ...(variables !== undefined &&
          variables !== "" && { variables: jsonValue(tools, variables, "variables") }),
      },
    },
  };
}

function feed(tools: Tools): Converted {
  tools.check(
    "Gives the text of the feed as XML in the next step: add a Convert step, or use the feed trigger.",
  );
  return {
    step: { type: "http", method: "GET", url: tools.text(tools.parameters["url"], "url") },
    output: { path: [], isExact: false },
  };
}

export const httpNodes: Readonly<Record<string, NodeKind>> = {
  httpRequest: { flow: EACH, convert: request },
  graphql: { flow: EACH, convert: graphql },
  rssFeedRead: { flow: EACH, convert: feed },
  emailSend: { flow: EACH, convert: sendMail },
};
