import { ArrowRight, Play } from "lucide-react";
import { useState } from "react";
import type { InputSchema } from "../../../../contract/input/input-field.ts";
import { missingSources } from "../../../flow/resolved-value.ts";
import type { ValueSource } from "../../../flow/step-scope.ts";
import { TextField } from "../../../ui/field.tsx";
import { parseJson } from "../../../ui/parse-json.ts";
import { modifier } from "../../../ui/shortcuts.ts";
import type { Pinning } from "../run/use-pins.ts";
import type { TestInputs } from "../run/use-run-commands.ts";
import { InputEditor, useInputEditor } from "../../forms/input-editor.tsx";
import type { StepData } from "./use-step-data.ts";
import { useMay } from "../../../api/permissions.ts";

export interface TestStep {
  /** Runs the step with the values of the last run; asks for the values that are missing. */
  run: () => void;
  /** The values that are asked for; empty while nothing is asked. */
  asked: readonly ValueSource[];
  answer: (values: ReadonlyMap<ValueSource, unknown>) => void;
  /** Runs the steps before it, too, in place of an answer. */
  runTo: () => void;
  cancel: () => void;
}

interface TestStepDeps {
  data: StepData | undefined;
  pinning: Pinning;
  testStep: (stepId: string, inputs?: TestInputs) => void;
  runTo: () => void;
  /** Shows the output. */
  onTest: () => void;
}

export function useTestStep({ data, pinning, testStep, runTo, onTest }: TestStepDeps): TestStep {
  const [askedFor, setAskedFor] = useState<string>();
  const stepId = data?.step.stepId;
  // A step inside a loop runs with its loop.
  const tested = data?.loops[0]?.loop.stepId ?? stepId;
  const missing = data === undefined ? [] : missingSources(data.loops[0]?.loop ?? data.step, data.scope);
  return {
    asked: askedFor !== undefined && askedFor === stepId ? missing : [],
    run() {
      if (tested === undefined) return;
      onTest();
      if (missing.length > 0) setAskedFor(stepId);
      else testStep(tested);
    },
    answer(values) {
      if (tested === undefined) return;
      setAskedFor(undefined);
      const steps = [...values].filter(([source]) => source.stepId !== undefined);
      for (const [source, value] of steps) pinning.pin(source.stepId!, value);
      const input = [...values].find(([source]) => source.kind === "input");
      testStep(tested, {
        outputs: Object.fromEntries(steps.map(([source, value]) => [source.stepId!, value])),
        ...(input === undefined ? {} : { input: input[1] }),
      });
    },
    runTo() {
      setAskedFor(undefined);
      runTo();
    },
    cancel: () => setAskedFor(undefined),
  };
}

export function TestStepButton({ test, primary = false }: { test: TestStep; primary?: boolean }) {
  const may = useMay();
  if (!may("runWorkflowSteps")) return null;
  return (
    <button
      type="button"
      className={primary ? "btn go" : "btn"}
      title={`Test step (${modifier}⇧Enter)`}
      onClick={test.run}
    >
      <Play size={14} /> {primary ? "Test step" : "Test"}
    </button>
  );
}

/** The sample of the step; a list where the step needs one. */
function emptyText({ sample, path }: ValueSource, { step }: StepData): string {
  if (sample !== undefined) return JSON.stringify(sample, null, 2);
  const isList = [step["items"], step["with"]].includes(`{{${path}}}`);
  return isList ? "[\n  {}\n]" : "{}";
}

interface MissingInputsProps {
  data: StepData;
  inputSchema: InputSchema | undefined;
  test: TestStep;
}

/** Asks for the values that the step needs and that no run has given yet. */
export function MissingInputs({ data, inputSchema, test }: MissingInputsProps) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const input = useInputEditor(inputSchema, undefined);
  const read = test.asked
    .filter(({ kind }) => kind !== "input")
    .map((source) => {
      const text = texts.get(source.path) ?? emptyText(source, data);
      return { source, text, ...parseJson(text) };
    });
  const inputSource = test.asked.find(({ kind }) => kind === "input");
  const isReadable = read.every(({ error }) => error === undefined);
  if (test.asked.length === 0) return null;
  function answer(): void {
    const values = new Map<ValueSource, unknown>(read.map(({ source, value }) => [source, value]));
    if (inputSource !== undefined) {
      const entered = input.read();
      if (entered === undefined) return;
      values.set(inputSource, entered.input);
    }
    test.answer(values);
  }
  return (
    <form
      className="card flat pad stack"
      aria-label="Values for the test"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReadable) answer();
      }}
    >
      <p className="small">
        This step uses values that no run has given yet. Enter sample data for the test
        {read.length > 0 && ", or run the steps before it, too"}.
      </p>
      {inputSource !== undefined && <InputEditor editor={input} rows={4} />}
      {read.map(({ source, text, error }) => (
        <TextField
          key={source.path}
          label={`${source.title} (JSON)`}
          mono
          rows={4}
          value={text}
          error={error}
          onChange={(next) => setTexts(new Map(texts).set(source.path, next))}
        />
      ))}
      <div className="row">
        <button type="button" className="btn" onClick={test.cancel}>
          Cancel
        </button>
        <button type="submit" className="btn go" disabled={!isReadable}>
          <Play size={14} /> Test step
        </button>
        {read.length > 0 && (
          <button type="button" className="btn" onClick={test.runTo}>
            <ArrowRight size={14} /> Run to here
          </button>
        )}
      </div>
    </form>
  );
}
