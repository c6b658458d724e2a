import { useContext, useLayoutEffect, useMemo, useRef } from "react";
import { isFileReference } from "../../../../contract/file-reference.ts";
import { useExpressionValues } from "../../../api/expressions.ts";
import { findChips } from "../../../flow/chips.ts";
import { referenceProblem } from "../../../flow/reference-problems.ts";
import { expressionCall, resolvedValue } from "../../../flow/resolved-value.ts";
import { isRowList, sampleText } from "../../../flow/value-shape.ts";
import { READ_ONLY_EDITOR, useIsReadOnly } from "../../../ui/allowed.tsx";
import type { ControlIds } from "../../../ui/field.tsx";
import { ScopeContext } from "./scope-context.ts";
import { lazyModule, useTextEditor } from "./use-text-editor.ts";
import type { EditorMode } from "./value-completion.ts";
import "./placeholder-field.css";

const MAX_RESULT = 300;

const useEditorModule = lazyModule(() => import("./value-editor.ts"));

export interface PlaceholderFieldProps {
  ids: ControlIds & { "aria-label"?: string };
  value: string;
  onChange: (value: string) => void;
  long?: boolean;
  /** Grey text in the empty field. */
  example?: string | undefined;
  /** `expression`: values are inserted by their path, without braces, and no chips are shown. */
  mode?: EditorMode;
  /** The stored value, when it is not the text itself: JSON is stored as the value that the text stands for. */
  stored?: unknown;
  /** Starts with the caret at the end of the text. */
  autoFocus?: boolean;
}

/**
 * A text field whose placeholders are typed inline and shown as chips. `@` or `{{` offers the values of earlier steps;
 * a placeholder without a value is red, with the one that was probably meant; the result of the last run is below.
 */
export function PlaceholderField(props: PlaceholderFieldProps) {
  const { ids, value, onChange, long = false, mode = "template" } = props;
  const isReadOnly = useIsReadOnly();
  const scope = useContext(ScopeContext);
  const editorModule = useEditorModule();
  const latest = useRef(onChange);
  latest.current = onChange;
  const noteId = `${ids.id}-note`;
  const problems = mode === "template" ? problemsIn(value, scope) : [];
  const isInvalid = ids["aria-invalid"] === true || problems.length > 0;
  const attributes: Record<string, string> = {
    id: ids.id,
    ...(ids["aria-label"] === undefined
      ? { "aria-labelledby": `${ids.id}-label` }
      : { "aria-label": ids["aria-label"] }),
    "aria-describedby": [ids["aria-describedby"], noteId].filter(Boolean).join(" "),
    ...(isInvalid ? { "aria-invalid": "true" } : {}),
  };

  const editorAttributes = isReadOnly ? { ...attributes, ...READ_ONLY_EDITOR } : attributes;

  const { parent, plain, editor } = useTextEditor({
    create:
      editorModule &&
      ((element, onFocus) =>
        editorModule.createValueEditor({
          parent: element,
          value,
          mode,
          multiline: long,
          example: props.example,
          scope,
          attributes: editorAttributes,
          onChange: (text) => latest.current(text),
          onFocus,
        })),
    kind: `${mode} ${long}`,
    autoFocus: props.autoFocus,
  });
  useLayoutEffect(() => {
    editor.current?.setText(value);
    editor.current?.setScope(scope);
    editor.current?.setAttributes(editorAttributes);
  });

  return (
    <div className={`ph-field${long ? " long" : ""}${isInvalid ? " invalid" : ""}`}>
      {editorModule === undefined ? (
        <textarea
          {...attributes}
          readOnly={isReadOnly}
          ref={plain}
          className="in"
          rows={long ? 3 : 1}
          placeholder={props.example}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <div ref={parent} className="ph-editor" />
      )}
      <div id={noteId} className="ph-note" aria-live="polite">
        {problems.map(({ start, end, problem }) => (
          <p key={start} className="wrong">
            {problem.message}{" "}
            {problem.suggestion !== undefined && (
              <button
                type="button"
                className="link-button"
                onClick={() =>
                  onChange(`${value.slice(0, start)}{{${problem.suggestion?.path}}}${value.slice(end)}`)
                }
              >
                Did you mean {problem.suggestion.label}?
              </button>
            )}
          </p>
        ))}
        {problems.length === 0 && mode === "template" && <Resolved value={props.stored ?? value} />}
      </div>
    </div>
  );
}

function problemsIn(text: string, scope: React.ContextType<typeof ScopeContext>) {
  return findChips(text).flatMap(({ start, end, reference }) => {
    const problem = referenceProblem(reference, scope);
    return problem === undefined ? [] : [{ start, end, problem }];
  });
}

/** A file by its name and a list of objects by its length: their JSON says less. */
function shortText(value: unknown): string | undefined {
  if (isFileReference(value)) return value.name;
  return isRowList(value) ? sampleText(value) : undefined;
}

/** "= 128.40": what the field was in the last run. The service evaluates expressions, never the page. */
function Resolved({ value }: { value: unknown }) {
  const scope = useContext(ScopeContext);
  const call = useMemo(() => expressionCall(value, scope), [value, scope]);
  const evaluated = useExpressionValues(call);
  if (evaluated?.error !== undefined)
    return <p className="wrong">With the data of the last run: {evaluated.error}</p>;
  const resolved = resolvedValue(value, scope, evaluated?.values);
  if (resolved === undefined) return null;
  const isObject = typeof resolved.value === "object" && resolved.value !== null;
  const text = isObject ? JSON.stringify(resolved.value).slice(0, MAX_RESULT) : sampleText(resolved.value);
  return (
    <p className="ph-result" title={text}>
      = {shortText(resolved.value) ?? text}
    </p>
  );
}
