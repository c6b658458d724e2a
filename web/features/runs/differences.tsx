import { useState } from "react";
import type { Task } from "../../api/types.ts";
import { keyOfText, type StepDifference, valueOf } from "../../flow/compare-runs.ts";
import { Segments } from "../../ui/segments.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Switch } from "../../ui/switch.tsx";
import { DiffBlock, type DiffLayout } from "./diff-block.tsx";

interface DifferencesProps {
  before: Task;
  after: Task;
  /** The steps to show. */
  steps: readonly StepDifference[];
  /** By step id. */
  titles: ReadonlyMap<string, string>;
  /** Leaves the input out when it is equal. */
  hidesEqual: boolean;
  /** Whether times and ids count as equal. */
  ignores: boolean;
  onIgnores: (ignores: boolean) => void;
}

/** The input and the steps of two runs of one workflow, side by side or unified. */
export function Differences(props: DifferencesProps) {
  const { before, after, steps, titles, hidesEqual, ignores, onIgnores } = props;
  const [layout, setLayout] = useState<DiffLayout>("split");
  const keyOf = keyOfText(ignores);
  useShortcuts({
    j: () => focusBlock(1),
    k: () => focusBlock(-1),
    s: () => setLayout(layout === "split" ? "unified" : "split"),
  });
  return (
    <>
      <div className="row wrap">
        <Segments
          label="Layout"
          value={layout}
          onChange={setLayout}
          options={[
            { value: "split", label: "Split" },
            { value: "unified", label: "Unified" },
          ]}
        />
        <Switch label="Ignore times and ids" checked={ignores} onChange={onIgnores} />
        <span className="grow" />
        <span className="small muted wide-only">
          <kbd>J</kbd> <kbd>K</kbd> next difference, <kbd>S</kbd> split or unified
        </span>
      </div>
      <DiffBlock
        id="input"
        title="Input"
        before={before.input}
        after={after.input}
        keyOf={keyOf}
        layout={layout}
        isHidden={hidesEqual}
      />
      {steps.map((step) => (
        <DiffBlock
          key={step.stepId}
          id={`step-${step.stepId}`}
          title={titles.get(step.stepId) ?? step.stepId}
          detail={step.before?.error != null || step.after?.error != null ? "error" : "output"}
          before={valueOf(step.before)}
          after={valueOf(step.after)}
          results={[step.before, step.after]}
          keyOf={keyOf}
          layout={layout}
        />
      ))}
      {!steps.some(({ differs }) => differs) && <p className="muted">Both runs have the same results.</p>}
    </>
  );
}

/** Moves the focus to the next or previous block. */
function focusBlock(by: 1 | -1): void {
  const blocks = [...document.querySelectorAll<HTMLElement>(".diff-block")];
  const at = blocks.findIndex((block) => block === document.activeElement);
  const next = blocks[at < 0 ? (by === 1 ? 0 : blocks.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
