import type { InputField, InputSchema } from "../../../contract/input/input-field.ts";
import { at, entriesAt, textOf, lookUp } from "../source/parameters.ts";
import type { SourceNode } from "../source/source.ts";

const FORMATS: Readonly<Record<string, InputField>> = {
  email: { type: "string", format: "email" },
  date: { type: "string", format: "date" },
  textarea: { type: "string", format: "multiline" },
  number: { type: "number" },
  file: { type: "object", format: "file" },
};

/** The fields of a form as the input schema; undefined without a form. */
export function inputSchemaOf(triggers: readonly SourceNode[]): InputSchema | undefined {
  const form = triggers.find(({ kind }) => kind === "formTrigger");
  const fields = entriesAt(form?.parameters, "formFields", "values").slice(0, 100);
  const named = fields.flatMap((field) => {
    const label = textOf(field["fieldLabel"] ?? field["fieldName"]);
    if (label === "" || label.length > 200 || label === "__proto__") return [];
    const choices = entriesAt(field, "fieldOptions", "values")
      .map(({ option }) => textOf(option))
      .filter((option) => option !== "");
    const type = lookUp(FORMATS, textOf(field["fieldType"])) ?? { type: "string" };
    return [
      {
        label,
        isRequired: field["requiredField"] === true,
        schema: {
          ...type,
          title: label,
          ...(choices.length > 0 && type.type === "string" && { enum: [...new Set(choices)] }),
        } satisfies InputField,
      },
    ];
  });
  if (named.length === 0 || at(form?.parameters, "defineForm") === "json") return undefined;
  return {
    type: "object",
    properties: Object.fromEntries(named.map(({ label, schema }) => [label, schema])),
    required: [...new Set(named.filter(({ isRequired }) => isRequired).map(({ label }) => label))],
  };
}
