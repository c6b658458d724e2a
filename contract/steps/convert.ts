import { inWords } from "./common.ts";
import { anyText, anyValue, choice, fixedBoolean, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const FILE_FORMATS = [
  "csv",
  "xlsx",
  "jsonl",
  "json",
  "html",
  "xml",
  "markdown",
  "zip",
  "text",
] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const formatWords: Readonly<Record<string, string>> = {
  csv: "CSV",
  xlsx: "Excel (XLSX)",
  jsonl: "JSON lines",
  json: "JSON",
  html: "HTML",
  xml: "XML",
  markdown: "Markdown",
  zip: "ZIP archive",
  text: "Text",
};
const operationWords: Readonly<Record<string, string>> = { read: "Read", write: "Write" };

type Step = Readonly<Record<string, unknown>>;
const reads = ({ operation }: Step): boolean => operation !== "write";
const writes = ({ operation }: Step): boolean => operation !== "read";
const isFormat =
  (...formats: FileFormat[]) =>
  ({ format }: Step): boolean =>
    format === undefined || formats.includes(format as FileFormat);
const isTable = isFormat("csv", "xlsx");

export const convertStep = defineStepType({
  type: "convert",
  title: "Convert a file",
  description:
    "Reads a file of an earlier step, or text, into a value: rows of CSV, Excel and JSON lines, JSON, XML, text, parts of HTML by a CSS selector, HTML as Markdown, Markdown as HTML, the files of a zip archive. Writes a value into such a file, whose reference is the output. Large CSV and JSON lines go to a foreach instead, which reads them in batches.",
  category: "data",
  synonyms: [
    "csv",
    "excel",
    "spreadsheet",
    "xlsx",
    "xml",
    "parse",
    "export",
    "import",
    "zip",
    "unzip",
    "scrape",
    "extract",
  ],
  fields: {
    operation: choice('"read" turns a file into a value, "write" a value into a file.', ["read", "write"]),
    format: choice("The format of the file. A file whose content is something else fails the step.", [
      ...FILE_FORMATS,
    ]),
    input: anyValue(
      "To read: a file of an earlier step, or text. To write: a list of rows (csv, xlsx, jsonl, html, markdown), any value (json), an object (xml), text (text; html from Markdown, markdown from HTML), or a list of files and {name, content} (zip).",
    ),
    fileName: text("The name of the file that is written; data.<format> by default.").optional(),
    as: choice('What writing returns: "file" by default, or "text" (not for xlsx and zip).', [
      "file",
      "text",
    ]).optional(),
    delimiter: text(
      "The character between the cells of CSV; found out when reading, a comma when writing. \\t is a tab.",
    ).optional(),
    header: fixedBoolean(
      "CSV and Excel: the first row holds the names of the columns; true by default. With false, rows are lists.",
    ).optional(),
    sheet: anyText("Excel: the name of the sheet; the first one by default.").optional(),
    selector: text(
      "HTML: a CSS selector. The output is the list of what matches; without it, the whole page.",
    ).optional(),
    take: choice("HTML: what to take of each match; text by default.", [
      "text",
      "html",
      "markdown",
      "attribute",
    ]).optional(),
    attribute: text('HTML: the name of the attribute, with take: "attribute".').optional(),
    entries: choice(
      'Zip: "extract" returns the files with their paths, "list" only names and sizes; extract by default.',
      ["extract", "list"],
    ).optional(),
    rootName: text("XML: the name of the root element that is written; root by default.").optional(),
    allowFormulas: fixedBoolean(
      "CSV and Excel: writes text that begins with =, +, - or @ unchanged, so that a spreadsheet program runs it as a formula; false by default.",
    ).optional(),
  },
  check({ operation, format, as, take, attribute }) {
    const problems: FieldProblem[] = [];
    if (operation === "write" && as === "text" && (format === "xlsx" || format === "zip"))
      problems.push({ code: "invalid_field", field: "as", message: `must be file for ${format}` });
    if (take === "attribute" && attribute === undefined)
      problems.push({
        code: "missing_field",
        field: "attribute",
        message: 'is required with take: "attribute"',
      });
    return problems;
  },
  shortTitle: "Convert",
  summary: ({ operation, format }) =>
    `${operationWords[String(operation)] ?? inWords(operation)} ${formatWords[String(format)] ?? inWords(format)}`,
  initial: { operation: "read", format: "csv" },
  form: {
    operation: { label: "Operation", words: operationWords },
    format: { label: "Format", words: formatWords },
    input: { label: "Input", control: "long", example: "Type @ for a file or a list of an earlier step" },
    fileName: { label: "File name", example: "orders.csv", applies: writes },
    as: { label: "Output", words: { file: "A file", text: "Text" }, fallback: "file", applies: writes },
    delimiter: { label: "Delimiter", example: ",", applies: isFormat("csv") },
    header: { label: "First row has names", fallback: "true", applies: isTable },
    sheet: { label: "Sheet", example: "Sheet1", applies: isFormat("xlsx") },
    selector: {
      label: "Selector",
      example: "table.prices td",
      common: true,
      applies: (step) => reads(step) && step["format"] === "html",
    },
    take: {
      label: "Take",
      words: { text: "Text", html: "HTML", markdown: "Markdown", attribute: "An attribute" },
      fallback: "text",
      common: true,
      applies: (step) => reads(step) && step["format"] === "html",
    },
    attribute: {
      label: "Attribute",
      example: "href",
      common: true,
      applies: ({ take }) => take === "attribute",
    },
    entries: {
      label: "Files",
      words: { extract: "Extract them", list: "List them" },
      fallback: "extract",
      applies: (step) => reads(step) && isFormat("zip")(step),
    },
    rootName: {
      label: "Root element",
      example: "root",
      applies: (step) => writes(step) && isFormat("xml")(step),
    },
    allowFormulas: {
      label: "Allow formulas",
      fallback: "false",
      applies: (step) => writes(step) && isTable(step),
    },
  },
  example: {
    stepId: "read-orders",
    type: "convert",
    operation: "read",
    format: "csv",
    input: "{{input.file}}",
  },
});
