import { useContext, useLayoutEffect, useRef } from "react";
import type { StepResult } from "../../../api/types.ts";
import { errorPosition } from "../../../flow/code-result.ts";
import { READ_ONLY_EDITOR, useIsReadOnly } from "../../../ui/allowed.tsx";
import { LogLines } from "../../output/log-lines.tsx";
import { SettingField } from "../inspector/setting-field.tsx";
import { ScopeContext } from "../placeholders/scope-context.ts";
import { lazyModule, useTextEditor } from "../placeholders/use-text-editor.ts";
import "./code-field.css";

const useEditorModule = lazyModule(() => import("./code-editor.ts"));

interface CodeFieldProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** The result of the last run: its console and the line of its error are shown. */
  result: StepResult | undefined;
}

/** The code of a step. Until the editor is loaded, and when it cannot be, the field is plain text. */
export function CodeField({ label, hint, error, value, onChange, result }: CodeFieldProps) {
  const isReadOnly = useIsReadOnly();
  const scope = useContext(ScopeContext);
  const editorModule = useEditorModule();
  const latest = useRef(onChange);
  latest.current = onChange;
  const position = errorPosition(result);

  const { parent, plain, editor } = useTextEditor({
    create:
      editorModule &&
      ((element, onFocus) => {
        const { id = "" } = element.dataset;
        return editorModule.createCodeEditor({
          parent: element,
          value,
          scope,
          attributes: {
            id,
            "aria-labelledby": `${id}-label`,
            "aria-describedby": `${id}-help ${id}-keys`,
            ...(isReadOnly ? READ_ONLY_EDITOR : {}),
          },
          onChange: (text) => latest.current(text),
          onFocus,
        });
      }),
  });
  useLayoutEffect(() => {
    editor.current?.setText(value);
    editor.current?.setScope(scope);
  });
  const line = position?.line;
  useLayoutEffect(() => editor.current?.setErrorLine(line), [line, result, editorModule]);

  return (
    <SettingField label={label} hint={hint} error={error} stacked>
      {(ids) => (
        <div className="code-field">
          {editorModule === undefined ? (
            <textarea
              {...ids}
              ref={plain}
              className="in mono"
              rows={8}
              spellCheck={false}
              value={value}
              onChange={(event) => onChange(event.target.value)}
            />
          ) : (
            <div ref={parent} data-id={ids.id} className="code-editor" />
          )}
          <p id={`${ids.id}-keys`} className="code-help">
            <kbd>Esc</kbd> then <kbd>Tab</kbd> leaves the editor
          </p>
          {position !== undefined && (
            <p className="code-problem" role="status">
              <button
                type="button"
                className="link-button"
                onClick={() => editor.current?.goTo(position.line)}
              >
                Line {position.line}
              </button>{" "}
              {position.message}
            </p>
          )}
          <Console result={result} />
        </div>
      )}
    </SettingField>
  );
}

function Console({ result }: { result: StepResult | undefined }) {
  const lines = result?.logs ?? [];
  if (lines.length === 0) return null;
  return (
    <section className="code-console" aria-label="Console">
      <h4>Console</h4>
      <LogLines lines={lines} />
    </section>
  );
}
