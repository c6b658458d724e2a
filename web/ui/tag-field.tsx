import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Field } from "./field.tsx";
import { splitCommas } from "./split-commas.ts";
import "./styles/tag-field.css";

interface TagFieldProps {
  label: string;
  tags: readonly string[];
  onChange: (tags: readonly string[]) => void;
  /** Tags of other records, offered while typing. */
  known: readonly string[];
}

/** Tags as chips. Enter or a comma adds what was typed; Backspace in the empty field removes the last one. */
export function TagField({ label, tags, onChange, known }: TagFieldProps) {
  const [text, setText] = useState("");
  function add(typed: string): void {
    onChange([...new Set([...tags, ...splitCommas(typed)])]);
    setText("");
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter" && text.trim() !== "") {
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "") onChange(tags.slice(0, -1));
  }
  return (
    <Field label={label} hint="Enter or a comma adds a tag.">
      {(ids) => (
        <div className="tag-field">
          {tags.map((tag) => (
            <span key={tag} className="chip">
              {tag}
              <button
                type="button"
                className="tag-remove"
                aria-label={`Remove tag ${tag}`}
                onClick={() => onChange(tags.filter((other) => other !== tag))}
              >
                <X size={12} />
              </button>
            </span>
          ))}
          <input
            {...ids}
            className="in"
            list={`${ids.id}-known`}
            value={text}
            onChange={({ target }) =>
              target.value.includes(",") ? add(target.value) : setText(target.value)
            }
            onKeyDown={onKeyDown}
            onBlur={() => text.trim() !== "" && add(text)}
          />
          <datalist id={`${ids.id}-known`}>
            {known
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}
