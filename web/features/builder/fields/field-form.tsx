import { useState } from "react";
import {
  asKind,
  describeField,
  type FieldKind,
  kindOf,
  type NamedField,
} from "../../../flow/input-schema-edit.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Switch } from "../../../ui/switch.tsx";

interface FieldFormProps {
  named: NamedField;
  /** The names of the other fields. */
  taken: readonly string[];
  kinds: readonly { value: FieldKind; label: string }[];
  referenceTo: (name: string) => string;
  isAnswer: boolean;
  onChange: (named: NamedField) => void;
}

export function FieldForm({ named, taken, kinds, referenceTo, isAnswer, onChange }: FieldFormProps) {
  const { field } = named;
  const kind = kindOf(field);
  const isListed = kinds.some(({ value }) => value === kind);
  const [name, setName] = useState(named.name);
  const problem =
    name.trim() === "" ? "Enter a name." : taken.includes(name) ? "Another field has this name." : undefined;
  const text = (key: "title" | "description", value: string): void => {
    const { [key]: _before, ...rest } = field;
    onChange({ ...named, field: value === "" ? rest : { ...rest, [key]: value } });
  };
  return (
    <div className="input-row-form stack tight">
      <TextField
        label="Name"
        mono
        value={name}
        error={problem}
        hint={problem === undefined ? `Steps read it as ${referenceTo(name)}` : undefined}
        onChange={(next) => {
          setName(next);
          if (next.trim() !== "" && !taken.includes(next)) onChange({ ...named, name: next });
        }}
      />
      {!isAnswer && (
        <TextField label="Label" value={field.title ?? ""} onChange={(value) => text("title", value)} />
      )}
      <SelectField
        label="Type"
        options={isListed ? kinds : [...kinds, { value: kind, label: describeField(field) }]}
        value={kind}
        onChange={(next) => onChange({ ...named, field: asKind(field, next as FieldKind) })}
      />
      {field.enum !== undefined && (
        <Choices
          choices={field.enum.map(String)}
          onChange={(choices) => onChange({ ...named, field: { ...field, type: "string", enum: choices } })}
        />
      )}
      <TextField
        label={isAnswer ? "Description for the model" : "Help text"}
        value={field.description ?? ""}
        onChange={(value) => text("description", value)}
      />
      <Switch
        label="Required"
        checked={named.required}
        onChange={(required) => onChange({ ...named, required })}
      />
    </div>
  );
}

function Choices({ choices, onChange }: { choices: string[]; onChange: (choices: string[]) => void }) {
  const [text, setText] = useState(choices.join("\n"));
  const read = (value: string): string[] => [
    ...new Set(
      value
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    ),
  ];
  return (
    <TextField
      label="Choices"
      hint="One per line"
      rows={3}
      value={text}
      error={read(text).length === 0 ? "Enter at least one choice." : undefined}
      onChange={(value) => {
        setText(value);
        if (read(value).length > 0) onChange(read(value));
      }}
    />
  );
}
