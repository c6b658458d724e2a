import { Braces } from "lucide-react";
import { useContext, useRef } from "react";
import { asExpression } from "../../../flow/pickable-values.ts";
import { selectedRange } from "./chip-text.ts";
import { StepTitles } from "./step-titles.ts";
import { useChipText } from "./use-chip-text.ts";
import type { PickValue } from "./value-picker.tsx";

interface PlaceholderInputProps {
  ids: { id: string; "aria-label"?: string };
  value: string;
  onChange: (value: string) => void;
  onPick: PickValue;
  long?: boolean;
  placeholder?: string | undefined;
}

/** A text field that shows placeholders as chips with the step's title. A chip is deleted as a whole. */
export function PlaceholderInput({
  ids,
  value,
  onChange,
  onPick,
  long = false,
  placeholder,
}: PlaceholderInputProps) {
  const root = useRef<HTMLDivElement>(null);
  const { replace, handlers } = useChipText({
    root,
    value,
    titles: useContext(StepTitles),
    onChange,
    multiline: long,
    onBraces: (range) => onPick((path) => insert(path, range)),
  });
  function insert(path: string, range: { start: number; end: number }): void {
    root.current?.focus();
    replace(range, `{{${path}}}`);
  }
  function pick(): void {
    const end = { start: value.length, end: value.length };
    const range = root.current === null ? end : (selectedRange(root.current) ?? end);
    onPick((path) => insert(path, range));
  }
  return (
    <div className={`ph-field${long ? " long" : ""}`}>
      <div
        {...ids}
        {...(ids["aria-label"] === undefined ? { "aria-labelledby": `${ids.id}-label` } : {})}
        ref={root}
        className="in"
        role="textbox"
        tabIndex={0}
        aria-multiline={long}
        contentEditable="plaintext-only"
        spellCheck={long}
        data-hint={placeholder}
        {...handlers}
      />
      <InsertButton onClick={pick} />
    </div>
  );
}

/** A text field for expressions: a picked value is inserted by its path, without braces. */
export function LiteralInput({
  ids,
  value,
  onChange,
  onPick,
}: Omit<PlaceholderInputProps, "long" | "placeholder">) {
  const field = useRef<HTMLTextAreaElement>(null);
  function pick(): void {
    const at = field.current?.selectionStart ?? value.length;
    onPick((path) => {
      onChange(`${value.slice(0, at)}${asExpression(path)}${value.slice(at)}`);
      field.current?.focus();
    });
  }
  return (
    <div className="ph-field long">
      <textarea
        {...ids}
        ref={field}
        className="in"
        rows={3}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <InsertButton onClick={pick} />
    </div>
  );
}

function InsertButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="btn ghost icon ph-button"
      aria-label="Insert value"
      title="Insert value"
      onClick={onClick}
    >
      <Braces size={14} />
    </button>
  );
}
