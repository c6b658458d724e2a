import { type KeyboardEvent, useState } from "react";
import type { FormField } from "../../../flow/form-fields.ts";
import { formatDuration, parseDuration } from "../../../flow/typed-duration.ts";
import { PlaceholderField } from "../placeholders/placeholder-field.tsx";
import { VALUE_MIME } from "../placeholders/scope-context.ts";
import type { ControlIds } from "../../../ui/field.tsx";

interface NumberInputProps {
  ids: ControlIds;
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** A number or a duration. Where a placeholder is allowed, `@`, `{` or a dropped value turns it into one. */
export function NumberInput({ ids, field, value, onChange }: NumberInputProps) {
  const [isTyped, setIsTyped] = useState(false);
  if (typeof value === "string" && !field.fixed)
    return (
      <PlaceholderField
        ids={ids}
        value={value}
        autoFocus={isTyped}
        example={field.example}
        onChange={(text) => onChange(asNumber(text))}
      />
    );
  function begin(text: string): void {
    setIsTyped(true);
    onChange(text);
  }
  const placeholderEvents = field.fixed
    ? {}
    : {
        onKeyDown(event: KeyboardEvent) {
          if (event.key !== "@" && event.key !== "{") return;
          event.preventDefault();
          begin(event.key);
        },
        onDragOver: (event: React.DragEvent) => event.preventDefault(),
        onDrop(event: React.DragEvent) {
          const path = event.dataTransfer.getData(VALUE_MIME);
          if (path === "") return;
          event.preventDefault();
          begin(`{{${path}}}`);
        },
      };
  if (field.kind === "number")
    return (
      <input
        className="in"
        {...ids}
        {...placeholderEvents}
        type="number"
        step="any"
        placeholder={field.example}
        value={typeof value === "number" ? value : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.valueAsNumber)}
      />
    );
  return (
    <DurationInput
      ids={ids}
      unit={field.kind === "seconds" ? "s" : "ms"}
      example={field.example}
      value={value}
      onChange={onChange}
      events={placeholderEvents}
    />
  );
}

function asNumber(text: string): unknown {
  if (text === "") return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

interface DurationInputProps {
  ids: ControlIds;
  unit: "ms" | "s";
  example: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
  events: object;
}

/** "30 s" or "1 h 30 min". The typed text stays until the field is left, and is then written in the usual form. */
function DurationInput({ ids, unit, example, value, onChange, events }: DurationInputProps) {
  const perUnit = unit === "s" ? 1000 : 1;
  const shown = typeof value === "number" ? formatDuration(value * perUnit) : "";
  const [typed, setTyped] = useState<string>();
  const isUnreadable = typed !== undefined && typed.trim() !== "" && parseDuration(typed, unit) === undefined;
  return (
    <>
      <input
        className="in"
        {...ids}
        {...events}
        {...(isUnreadable ? { "aria-invalid": true } : {})}
        placeholder={example}
        value={typed ?? shown}
        onChange={(event) => {
          setTyped(event.target.value);
          const ms = parseDuration(event.target.value, unit);
          if (ms !== undefined) onChange(ms / perUnit);
          else if (event.target.value.trim() === "") onChange(undefined);
        }}
        onBlur={() => !isUnreadable && setTyped(undefined)}
      />
      {isUnreadable && <p className="wrong">Write a duration such as 30 s, 5 min or 2 h.</p>}
    </>
  );
}
