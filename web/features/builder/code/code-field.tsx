import { useContext, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { StepResult } from "../../../api/types.ts";
import { errorPosition } from "../../../flow/code-result.ts";
import { LogLines } from "../../output/log-lines.tsx";
import { SettingField } from "../inspector/setting-field.tsx";
import { ActiveFieldContext, ScopeContext } from "../placeholders/scope-context.ts";
import type { CodeEditor, createCodeEditor } from "./code-editor.ts";
import "./code-field.css";
import { READ_ONLY_EDITOR, useIsReadOnly } from "../../../ui/allowed.tsx";

type EditorModule = { createCodeEditor: typeof createCodeEditor };

interface CodeFieldProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Of the last run: its console and the line of its error are shown. */
  result: StepResult | undefined;
}

/** The code of a step. Until the editor is loaded, and when it cannot be, the field is plain text. */
export function CodeField({ label, hint, error, value, onChange, result }: CodeFieldProps) {
  const isReadOnly = useIsReadOnly();
  const scope = useContext(ScopeContext);
  const active = useContext(ActiveFieldContext);
  const [editorModule, setEditorModule] = useState<EditorModule>();
  const parent = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  // Read before React replaces the plain field, which takes the focus away.
  const hadFocus = useRef(false);
  if (editorModule !== undefined && plain.current !== null)
    hadFocus.current = document.activeElement === plain.current;
  const position = errorPosition(result);

  useEffect(() => {
    let isMounted = true;
    void import("./code-editor.ts").then(
      (module: EditorModule) => isMounted && setEditorModule(module),
      () => {},
    );
    return () => {
      isMounted = false;
    };
  }, []);

  useLayoutEffect(() => {
    if (editorModule === undefined || parent.current === null) return;
    const { id = "" } = parent.current.dataset;
    const created = editorModule.createCodeEditor({
      parent: parent.current,
      value: latest.current.value,
      scope,
      attributes: {
        id,
        "aria-labelledby": `${id}-label`,
        "aria-describedby": `${id}-help ${id}-keys`,
        ...(isReadOnly ? READ_ONLY_EDITOR : {}),
      },
      onChange: (text) => latest.current.onChange(text),
      onFocus: () => {
        active.current = created;
      },
    });
    editor.current = created;
    if (hadFocus.current) created.focus();
    hadFocus.current = false;
    return () => {
      if (active.current === created) active.current = null;
      created.destroy();
      editor.current = undefined;
    };
    // The text and the scope of a later render are set below, without creating the editor again.
  }, [editorModule]);

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
