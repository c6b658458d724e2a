/** Names of n8n with a counterpart in every expression. */
export const GLOBALS: Readonly<Record<string, { script: string; path?: string }>> = {
  $itemIndex: { script: "0" },
  $max: { script: "Math.max" },
  $min: { script: "Math.min" },
  $if: { script: "((test, yes, no) => (test ? yes : no))" },
  $ifEmpty: {
    script: '((value, other) => (value == null || value === "" || value.length === 0 ? other : value))',
  },
};

/** Objects of n8n whose fields have another name here. */
export const MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  $execution: { id: "task.id" },
  $workflow: { id: "workflow.id", name: "workflow.name" },
};
/** Methods that n8n adds to texts, numbers, lists and dates. */
const EXTENSIONS =
  /\.\s*(isEmpty|isNotEmpty|first|last|toDateTime|toInt|toFloat|toNumber|toBoolean|toTitleCase|toSentenceCase|toSnakeCase|toCamelCase|removeMarkdown|removeTags|extractEmail|extractDomain|extractUrl|extractUrlPath|isEmail|isUrl|isDomain|isNumeric|hash|base64Encode|base64Decode|urlEncode|urlDecode|quote|replaceSpecialChars|parseJson|toJsonString|pluck|unique|compact|sum|average|randomItem|removeDuplicates|chunk|smartJoin|renameKeys|append|difference|intersection|union|isBetween|inBetween|isWeekend|beginningOf|endOfMonth|extract|isDst|diffTo|diffToNow|ceil|floor|round|isEven|isOdd|keepFieldsContaining|removeField|removeFieldsContaining|hasField|merge|urlEncode)\s*\(/g;
const MISSING_HERE =
  /(?<![\w$.])(require|fetch|Buffer|URL|URLSearchParams|atob|btoa|crypto|process|setTimeout|structuredClone)(?![\w$])/;
/** Luxon and JavaScript have methods of these names, too. */
const AMBIGUOUS = new Set([
  "round",
  "ceil",
  "floor",
  "difference",
  "intersection",
  "union",
  "append",
  "extract",
  "merge",
]);

/** What a script uses that expressions here do not have. */
export function missingIn(source: string, script: string): string[] {
  const missing = MISSING_HERE.exec(source)?.[1];
  const extensions = [...script.matchAll(EXTENSIONS)]
    .map(([, name = ""]) => name)
    .filter((name) => !AMBIGUOUS.has(name));
  return [
    ...(/\brow_number\b/.test(source) ? ["row_number of a Google sheet is rowNumber here."] : []),
    ...(missing === undefined ? [] : [`${missing} does not exist in expressions here.`]),
    ...(extensions.length === 0
      ? []
      : [`${[...new Set(extensions)].join(", ")}: methods that only n8n has.`]),
  ];
}
