import { Braces } from "lucide-react";
import { type ReactNode, useMemo, useRef } from "react";
import { readPlaceholder } from "../../../contract/placeholders/reference.ts";
import { asExpression } from "../../flow/values.ts";

interface PlaceholderInputProps {
  ids: { id: string };
  value: string;
  onChange: (value: string) => void;
  /** Asks the person for a value; resolves with a placeholder's path. */
  onPick: (insert: (placeholder: string) => void) => void;
  long?: boolean;
  /** An expression: what is picked goes in by name, without braces. */
  literal?: boolean;
  placeholder?: string | undefined;
}

/** The text with its placeholders marked, drawn behind the real field with the same letters at the same places. */
function marked(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let last = 0;
  let at = text.indexOf("{{");
  while (at >= 0) {
    const read = readPlaceholder(text, at + 2);
    if (read.reference === undefined) at = text.indexOf("{{", at + 2);
    else {
      parts.push(text.slice(last, at), <mark key={at}>{text.slice(at, read.end)}</mark>);
      last = read.end;
      at = text.indexOf("{{", last);
    }
  }
  parts.push(text.slice(last), "\u200b");
  return parts;
}

export function PlaceholderInput({
  ids,
  value,
  onChange,
  onPick,
  long = false,
  literal = false,
  placeholder,
}: PlaceholderInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const behind = useMemo(() => marked(value), [value]);

  function pick(replaceBraces: boolean): void {
    const at = field.current?.selectionStart ?? value.length;
    onPick((path) => {
      const before = value.slice(0, replaceBraces && value.slice(0, at).endsWith("{{") ? at - 2 : at);
      onChange(`${before}${literal ? asExpression(path) : `{{${path}}}`}${value.slice(at)}`);
      field.current?.focus();
    });
  }

  return (
    <div className={`ph-field${long ? " long" : ""}`}>
      <div className="ph-behind" aria-hidden>
        {behind}
      </div>
      <textarea
        {...ids}
        ref={field}
        className="in"
        rows={1}
        spellCheck={long}
        value={value}
        placeholder={placeholder}
        onChange={(event) => {
          onChange(long ? event.target.value : event.target.value.replaceAll("\n", ""));
          if (
            event.target.value.slice(0, event.target.selectionStart).endsWith("{{") &&
            event.target.value.length > value.length
          ) {
            const text = event.target.value;
            const at = event.target.selectionStart;
            onPick((path) => onChange(`${text.slice(0, at - 2)}{{${path}}}${text.slice(at)}`));
          }
        }}
      />
      <button
        type="button"
        className="btn ghost icon ph-button"
        aria-label="Insert a value"
        title="Insert a value"
        onClick={() => pick(false)}
      >
        <Braces size={14} />
      </button>
    </div>
  );
}
