import { at, entriesAt, textOf, lookUp } from "../source/parameters.ts";
import { optionsLeft } from "./options-left.ts";
import { keyText } from "./parameter-values.ts";
import { type Converted, type NodeContext, type NodeKind } from "./node-context.ts";

const FORMATS: Readonly<Record<string, string>> = {
  csv: "csv",
  xlsx: "xlsx",
  xls: "xlsx",
  json: "json",
  html: "html",
  xml: "xml",
  text: "text",
  fromJson: "json",
  toJson: "json",
  toText: "text",
};
const FILE_NOTE = "Choose the file: n8n took it from the binary data of the item.";
const formatOf = (context: NodeContext): string | undefined =>
  lookUp(FORMATS, textOf(context.parameters["operation"] ?? context.parameters["fileFormat"]) || "csv");
const ROWS = new Set(["csv", "xlsx", "xls", "html"]);

function read(context: NodeContext): Converted {
  const format = formatOf(context);
  if (context.parameters["operation"] === "binaryToPropery") return passFile(context);
  if (format === undefined) return { step: undefined };
  const file = context.file(textOf(context.parameters["binaryPropertyName"]).replace(/^=/, "") || "data");
  context.check(file === undefined ? FILE_NOTE : "Compare the values that it reads with those of n8n.");
  return {
    step: { type: "convert", operation: "read", format, input: file ?? context.current() },
    output: { path: [], isExact: ROWS.has(format) },
  };
}

function write(context: NodeContext): Converted {
  const { parameters } = context;
  if (parameters["operation"] === "toBinary" || parameters["operation"] === "iCal")
    return parameters["operation"] === "iCal" ? { step: undefined } : passFile(context);
  const format = formatOf(context);
  if (format === undefined) return { step: undefined };
  const property = textOf(parameters["sourceProperty"]);
  const fileName = context.text(
    at(parameters, "options", "fileName") ?? parameters["fileName"],
    "options.fileName",
  );
  optionsLeft(context, ["fileName"]);
  if (property.includes("{{")) context.check("An expression names a field: write its name.");
  const input =
    format === "text"
      ? context.value(`={{ $json[${JSON.stringify(property || "data")}] }}`, "sourceProperty")
      : context.items();
  return {
    step: { type: "convert", operation: "write", format, input, ...(fileName !== "" && { fileName }) },
    output: { path: [], isExact: false, file: textOf(parameters["binaryPropertyName"]) || "data" },
  };
}

function passFile(context: NodeContext): Converted {
  context.check(FILE_NOTE);
  return { step: { type: "transform", template: context.current() }, output: { path: [], isExact: false } };
}

function html(context: NodeContext): Converted {
  const { parameters } = context;
  const operation =
    textOf(parameters["operation"]) ||
    (context.node.kind === "htmlExtract" ? "extractHtmlContent" : "generateHtmlTemplate");
  if (operation === "generateHtmlTemplate") {
    const template = context.text(
      textOf(parameters["html"]).startsWith("=") ? parameters["html"] : `=${textOf(parameters["html"])}`,
      "html",
    );
    return { step: { type: "transform", template: { html: template } } };
  }
  if (operation !== "extractHtmlContent") return { step: undefined };
  const values = entriesAt(parameters, "extractionValues", "values");
  const [first] = values;
  const selector = context.text(first?.["cssSelector"], "cssSelector");
  if (selector === "") return { step: undefined };
  const take = textOf(first?.["returnValue"]) || "text";
  const key = textOf(first?.["key"]) || "data";
  context.check(
    values.length > 1
      ? `One selector of ${values.length} is imported: add a step for each of the others.`
      : "It gives the list of matches. Check white space, and how several matches are joined.",
  );
  const property = textOf(parameters["dataPropertyName"]) || "data";
  const attribute = textOf(first?.["attribute"]) || "href";
  return {
    step: {
      type: "convert",
      operation: "read",
      format: "html",
      input: context.value(`={{ $json[${JSON.stringify(property)}] }}`, "dataPropertyName"),
      selector,
      take: take === "attribute" ? "attribute" : take === "html" ? "html" : "text",
      ...(take === "attribute" && { attribute }),
    },
    output: { path: first?.["returnArray"] === true ? [] : [0], isExact: true, fields: [[key]] },
  };
}

function markdown(context: NodeContext): Converted {
  const { parameters } = context;
  const toHtml = parameters["mode"] === "markdownToHtml";
  const input = context.value(
    toHtml ? (parameters["markdown"] ?? "") : (parameters["html"] ?? ""),
    toHtml ? "markdown" : "html",
  );
  const name = textOf(parameters["destinationKey"]) || "data";
  optionsLeft(context, []);
  return {
    step: toHtml
      ? { type: "convert", operation: "write", format: "html", input, as: "text" }
      : { type: "convert", operation: "write", format: "markdown", input, as: "text" },
    output: { path: [], isExact: true, fields: [[name]] },
  };
}

function xml(context: NodeContext): Converted {
  const { parameters } = context;
  const property = textOf(parameters["dataPropertyName"]) || "data";
  if (parameters["mode"] === "jsonToxml") {
    context.check("Check the XML: n8n may name the root and attributes in another way.");
    return {
      step: { type: "convert", operation: "write", format: "xml", input: context.current(), as: "text" },
      output: { path: [], isExact: true, fields: [[property]] },
    };
  }
  context.check("Attributes and repeated elements may have other names here.");
  return {
    output: { path: [], isExact: false },
    step: {
      type: "convert",
      operation: "read",
      format: "xml",
      input: context.value(`={{ $json[${JSON.stringify(property)}] }}`, "dataPropertyName"),
    },
  };
}

function spreadsheet(context: NodeContext): Converted {
  return context.parameters["operation"] === "toFile" ? write(context) : read(context);
}

function disk(context: NodeContext): Converted {
  const { parameters, node } = context;
  const isWrite = node.kind === "writeBinaryFile" || parameters["operation"] === "write";
  const path =
    context
      .text(parameters["fileName"] ?? parameters["fileSelector"] ?? parameters["filePath"], "fileName")
      .replace(/^\/+/, "") || "file";
  context.check("Paths are inside of the files of your workspace.");
  return {
    step: isWrite
      ? { type: "file", action: "write", path, content: context.current() }
      : { type: "file", action: "read", path, as: "file" },
    output: { path: [], isExact: false },
  };
}

function moveBinary(context: NodeContext): Converted {
  context.check(FILE_NOTE);
  const key = textOf(context.parameters["destinationKey"]) || "data";
  return context.parameters["mode"] === "jsonToBinary"
    ? {
        step: { type: "convert", operation: "write", format: "json", input: context.current() },
        output: { path: [], isExact: false },
      }
    : {
        step: { type: "transform", template: `{{= ({ ${keyText(key)}: ${context.currentScript()} }) }}` },
        output: { path: [], isExact: false },
      };
}

const EACH: NodeKind["flow"] = () => ({ takes: "item" });
const READ: NodeKind["flow"] = ({ parameters }) => ({
  takes: "item",
  gives: ROWS.has(textOf(parameters["operation"] ?? parameters["fileFormat"]) || "csv") ? "list" : "one",
});

export const fileNodes: Readonly<Record<string, NodeKind>> = {
  extractFromFile: { flow: READ, convert: read },
  convertToFile: { flow: () => ({ takes: "all" }), convert: write },
  spreadsheetFile: {
    flow: (node) => (node.parameters["operation"] === "toFile" ? { takes: "all" } : READ(node)),
    convert: spreadsheet,
  },
  html: { flow: EACH, convert: html },
  htmlExtract: { flow: EACH, convert: html },
  markdown: { flow: EACH, convert: markdown },
  xml: { flow: EACH, convert: xml },
  moveBinaryData: { flow: EACH, convert: moveBinary },
  readWriteFile: { flow: EACH, convert: disk },
  readBinaryFile: { flow: EACH, convert: disk },
  readBinaryFiles: { flow: EACH, convert: disk },
  writeBinaryFile: { flow: EACH, convert: disk },
};
