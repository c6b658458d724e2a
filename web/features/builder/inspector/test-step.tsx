import { Play } from "lucide-react";
import { useState } from "react";
import { missingSources } from "../../../flow/resolved-value.ts";
import type { ValueSource } from "../../../flow/step-scope.ts";
import { TextField } from "../../../ui/field.tsx";
import { parseJson } from "../../../ui/parse-json.ts";
import { modifier } from "../../../ui/shortcuts.ts";
import type { Pinning } from "../run/use-pins.ts";
import type { TestInputs } from "../run/use-run-commands.ts";
import type { StepData } from "./use-step-data.ts";
import { useMay } from "../../../api/permissions.ts";

export interface TestStep {
  /** Runs the step with the values of the last run; asks for the values that are missing. */
  run: () => void;
  /** The values that are asked for; empty while nothing is asked. */
  asked: readonly ValueSource[];
  answer: (values: ReadonlyMap<ValueSource, unknown>) => void;
  cancel: () => void;
}

interface TestStepDeps {
  data: StepData | undefined;
  pinning: Pinning;
  testStep: (stepId: string, inputs?: TestInputs) => void;
  /** Shows the output. */
  onTest: () => void;
}

export function useTestStep({ data, pinning, testStep, onTest }: TestStepDeps): TestStep {
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

/** The sample of the step, or the declared input fields to be filled in. */
function emptyText({ fields = [], sample }: ValueSource): string {
  if (sample !== undefined) return JSON.stringify(sample, null, 2);
  return fields.length === 0
    ? "{}"
    : JSON.stringify(Object.fromEntries(fields.map((name) => [name, ""])), null, 2);
}

/** Asks for the values that the step needs and that no run has given yet. */
export function MissingInputs({ test }: { test: TestStep }) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const read = test.asked.map((source) => ({
    source,
    ...parseJson(texts.get(source.path) ?? emptyText(source)),
  }));
  const isReadable = read.every(({ error }) => error === undefined);
  if (test.asked.length === 0) return null;
  return (
    <form
      className="card flat pad stack"
      aria-label="Values for the test"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReadable) test.answer(new Map(read.map(({ source, value }) => [source, value])));
      }}
    >
      <p className="small">
        This step uses values that no run has given yet. Enter sample data for the test.
      </p>
      {read.map(({ source, error }) => (
        <TextField
          key={source.path}
          label={`${source.title} (JSON)`}
          mono
          rows={4}
          value={texts.get(source.path) ?? emptyText(source)}
          error={error}
          onChange={(text) => setTexts(new Map(texts).set(source.path, text))}
        />
      ))}
      <div className="row">
        <button type="button" className="btn" onClick={test.cancel}>
          Cancel
        </button>
        <button type="submit" className="btn go" disabled={!isReadable}>
          <Play size={14} /> Test step
        </button>
      </div>
    </form>
  );
}
