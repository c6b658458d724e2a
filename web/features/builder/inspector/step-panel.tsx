import { ChevronDown, ChevronUp, Maximize2 } from "lucide-react";
import { useState } from "react";
import { findStepType } from "../../../../contract/steps/catalogue.ts";
import { missingFields } from "../../../flow/field-problems.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { Tabs } from "../../../ui/tabs.tsx";
import { AppWords, StepTile } from "../../canvas/step-tile.tsx";
import { InputPane } from "./input-pane.tsx";
import { OutputPane } from "./output-pane.tsx";
import { StepMenu } from "./step-menu.tsx";
import { PreviousNextSteps } from "./previous-next-steps.tsx";
import { StepSettings } from "./step-settings.tsx";
import { StepTitle } from "./step-title.tsx";
import type { StepView } from "./step-view.ts";
import { MissingInputs, TestStepButton } from "./test-step.tsx";
import { ToCheck } from "./to-check.tsx";
import { ValueBar } from "./value-bar.tsx";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { ClosePanelButton } from "../../../ui/close-panel-button.tsx";

const TABS = [
  { value: "settings", label: "Settings" },
  { value: "input", label: "Input" },
  { value: "output", label: "Output" },
] as const;
export type StepTab = (typeof TABS)[number]["value"];

interface StepPanelProps {
  view: StepView;
  /** Held by the builder, so that the tab stays open when another step is selected. */
  tab: StepTab;
  onTab: (tab: StepTab) => void;
  onExpand: () => void;
  onClose: () => void;
}

/** The selected step in the panel on the canvas. */
export function StepPanel({ view, tab, onTab, onExpand, onClose }: StepPanelProps) {
  const { data, draft, test } = view;
  const { step } = data;
  const [isFull, setIsFull] = useState(false);
  useShortcuts({
    Enter(event) {
      // Enter on a button presses it.
      if (event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null) return;
      event.preventDefault();
      onExpand();
    },
    "shift+mod+Enter"(event) {
      event.preventDefault();
      test.run();
    },
  });
  return (
    <div className={`step-panel${isFull ? " full" : ""}`}>
      <header className="step-head">
        <button
          type="button"
          className="sheet-handle"
          aria-label={isFull ? "Half height" : "Full height"}
          onClick={() => setIsFull(!isFull)}
        >
          {isFull ? <ChevronDown size={14} /> : <ChevronUp size={14} />}
        </button>
        <StepTile type={step.type} app={step["app"]} />
        <div className="grow step-names">
          <ReadOnlyUnless may="saveDraft">
            <StepTitle key={data.key} data={data} onRename={view.onRename} />
          </ReadOnlyUnless>
          <Place view={view} />
        </div>
        <TestStepButton test={test} />
        <button
          type="button"
          className="btn ghost icon"
          aria-label="Open wide"
          title="Open wide (Enter)"
          onClick={onExpand}
        >
          <Maximize2 size={15} />
        </button>
        <StepMenu actions={view.actions} />
        <ClosePanelButton onClick={onClose} />
      </header>
      <Tabs label="Step" value={tab} onChange={onTab} tabs={TABS} className="step-tabs">
        {tab === "settings" && <SettingsPane view={view} />}
        {tab === "input" && <InputPane data={data} draft={draft} />}
        {tab === "output" && (
          <>
            <MissingInputs data={data} inputSchema={draft.inputSchema} test={test} />
            <OutputPane data={data} pinning={view.pinning} />
          </>
        )}
      </Tabs>
      <ValueBar />
      <footer className="step-foot">
        <PreviousNextSteps view={view} />
      </footer>
    </div>
  );
}

/** The type of the step, after the loops that it is in. */
export function Place({ view: { data, onOpenNode } }: { view: StepView }) {
  return (
    <p className="small muted ellipsis">
      {data.loops.map(({ loop, nodeId }) => (
        <span key={nodeId}>
          <button type="button" className="link-button" onClick={() => onOpenNode(nodeId)}>
            {stepTitle(loop)}
          </button>
          {" / "}
        </span>
      ))}
      <StepKind step={data.step} />
    </p>
  );
}

function StepKind({ step }: { step: StepView["data"]["step"] }) {
  const title = findStepType(step.type)?.title ?? step.type;
  return step.type === "app" && typeof step["app"] === "string" ? (
    <AppWords app={step["app"]} action={step["action"]} fallback={title} />
  ) : (
    title
  );
}

/** What is missing, then the settings. */
export function SettingsPane({ view }: { view: StepView }) {
  const { data } = view;
  const missing = missingFields(data.problems, data.step);
  return (
    <>
      <ToCheck view={view} />
      {missing.length > 0 && (
        <p className="needs-setup small">
          <span className="chip wait">Needs setup</span> {missing.join(", ")}
        </p>
      )}
      <ReadOnlyUnless may="saveDraft">
        {" "}
        <StepSettings
          key={data.key}
          data={data}
          suggestions={view.suggestions}
          onOpenEdge={view.onOpenEdge}
          onRename={view.onRename}
        />
      </ReadOnlyUnless>
    </>
  );
}
