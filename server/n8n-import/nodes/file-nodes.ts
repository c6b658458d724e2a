import { at, entriesAt, textOf, lookUp } from "../source/parameters.ts";
import { optionsLeft } from "./options-left.ts";
import { keyText } from "./parameter-values.ts";
import { type Converted, type NodeKind, type Tools } from "./tools.ts";

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
const formatOf = (tools: Tools): string | undefined =>
  lookUp(FORMATS, textOf(tools.parameters["operation"] ?? tools.parameters["fileFormat"]) || "csv");
const ROWS = new Set(["csv", "xlsx", "xls", "html"]);

function read(tools: Tools): Converted {
  const format = formatOf(tools);
  if (tools.parameters["operation"] === "binaryToPropery") return passFile(tools);
  if (format === undefined) return { step: undefined };
  tools.check(FILE_NOTE);
  return {
    step: { type: "convert", operation: "read", format, input: tools.current() },
    output: { path: [], isExact: ROWS.has(format) },
  };
}

function write(tools: Tools): Converted {
  const { parameters } = tools;
  if (parameters["operation"] === "toBinary" || parameters["operation"] === "iCal")
    return parameters["operation"] === "iCal" ? { step: undefined } : passFile(tools);
  const format = formatOf(tools);
  if (format === undefined) return { step: undefined };
  const property = textOf(parameters["sourceProperty"]);
  const fileName = tools.text(
    at(parameters, "options", "fileName") ?? parameters["fileName"],
    "options.fileName",
  );
  optionsLeft(tools, ["fileName"]);
  if (property.includes("{{")) tools.check("An expression names a field: write its name.");
  const input =
    format === "text"
      ? tools.value(`={{ $json[${JSON.stringify(property || "data")}] }}`, "sourceProperty")
      : tools.items();
  return {
    step: { type: "convert", operation: "write", format, input, ...(fileName !== "" && { fileName }) },
    output: { path: [], isExact: false },
  };
}

function passFile(tools: Tools): Converted {
  tools.check(FILE_NOTE);
  return { step: { type: "transform", template: tools.current() }, output: { path: [], isExact: false } };
}

function html(tools: Tools): Converted {
  const { parameters } = tools;
  const operation =
    textOf(parameters["operation"]) ||
    (tools.node.kind === "htmlExtract" ? "extractHtmlContent" : "generateHtmlTemplate");
  if (operation === "generateHtmlTemplate") {
    const template = tools.text(
      textOf(parameters["html"]).startsWith("=") ? parameters["html"] : `=${textOf(parameters["html"])}`,
      "html",
    );
    return { step: { type: "transform", template: { html: template } } };
  }
  if (operation !== "extractHtmlContent") return { step: undefined };
  const values = entriesAt(parameters, "extractionValues", "values");
  const [first] = values;
  const selector = tools.text(first?.["cssSelector"], "cssSelector");
  if (selector === "") return { step: undefined };
  const take = textOf(first?.["returnValue"]) || "text";
  const key = textOf(first?.["key"]) || "data";
  tools.check(
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
      input: tools.value(`={{ $json[${JSON.stringify(property)}] }}`, "dataPropertyName"),
      selector,
      take: take === "attribute" ? "attribute" : take === "html" ? "html" : "text",
      ...(take === "attribute" && { attribute }),
    },
    output: { path: first?.["returnArray"] === true ? [] : [0], isExact: true, fields: [[key]] },
  };
}

function markdown(tools: Tools): Converted {
  const { parameters } = tools;
  const toHtml = parameters["mode"] === "markdownToHtml";
  const input = tools.value(
    toHtml ? (parameters["markdown"] ?? "") : (parameters["html"] ?? ""),
    toHtml ? "markdown" : "html",
  );
  const name = textOf(parameters["destinationKey"]) || "data";
  optionsLeft(tools, []);
  return {
    step: toHtml
      ? { type: "convert", operation: "write", format: "html", input, as: "text" }
      : { type: "convert", operation: "write", format: "markdown", input, as: "text" },
    output: { path: [], isExact: true, fields: [[name]] },
  };
}

function xml(tools: Tools): Converted {
  const { parameters } = tools;
  const property = textOf(parameters["dataPropertyName"]) || "data";
  if (parameters["mode"] === "jsonToxml") {
    tools.check("Check the XML: n8n may name the root and attributes in another way.");
    return {
      step: { type: "convert", operation: "write", format: "xml", input: tools.current(), as: "text" },
      output: { path: [], isExact: true, fields: [[property]] },
    };
  }
  tools.check("Attributes and repeated elements may have other names here.");
  return {
    output: { path: [], isExact: false },
    step: {
      type: "convert",
      operation: "read",
      format: "xml",
      input: tools.value(`={{ $json[${JSON.stringify(property)}] }}`, "dataPropertyName"),
    },
  };
}

function spreadsheet(tools: Tools): Converted {
  return tools.parameters["operation"] === "toFile" ? write(tools) : read(tools);
}

function disk(tools: Tools): Converted {
  const { parameters, node } = tools;
  const isWrite = node.kind === "writeBinaryFile" || parameters["operation"] === "write";
  const path =
    tools
      .text(parameters["fileName"] ?? parameters["fileSelector"] ?? parameters["filePath"], "fileName")
      .replace(/^\/+/, "") || "file";
  tools.check("Paths are inside of the files of your workspace.");
  return {
    step: isWrite
      ? { type: "file", action: "write", path, content: tools.current() }
      : { type: "file", action: "read", path, as: "file" },
    output: { path: [], isExact: false },
  };
}

function moveBinary(tools: Tools): Converted {
  tools.check(FILE_NOTE);
  const key = textOf(tools.parameters["destinationKey"]) || "data";
  return tools.parameters["mode"] === "jsonToBinary"
    ? {
        step: { type: "convert", operation: "write", format: "json", input: tools.current() },
        output: { path: [], isExact: false },
      }
    : {
        step: { type: "transform", template: `{{= ({ ${keyText(key)}: ${tools.currentScript()} }) }}` },
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
