import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { StepTile } from "../../canvas/step-tile.tsx";
import { InputPane } from "./input-pane.tsx";
import { OutputPane } from "./output-pane.tsx";
import { StepMenu } from "./step-menu.tsx";
import { PreviousNextSteps } from "./previous-next-steps.tsx";
import { Place, SettingsPane } from "./step-panel.tsx";
import { StepTitle } from "./step-title.tsx";
import type { StepView } from "./step-view.ts";
import { MissingInputs, TestStepButton } from "./test-step.tsx";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";

type KeyFields =
  | "key"
  | "metaKey"
  | "ctrlKey"
  | "shiftKey"
  | "defaultPrevented"
  | "stopPropagation"
  | "preventDefault";

interface StepWideProps {
  view: StepView;
  onClose: () => void;
}

/** The step over the whole window: input, settings and output side by side. */
export function StepWide({ view, onClose }: StepWideProps) {
  const { data, draft, test, pinning } = view;
  const { step } = data;
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    // The canvas behind stays mounted and keeps its place, but must not be reachable.
    const page = document.getElementById("root");
    page?.setAttribute("inert", "");
    root.current?.focus();
    return () => page?.removeAttribute("inert");
  }, []);

  function onKeyDown(event: Pick<KeyboardEvent, KeyFields>): void {
    const mod = event.metaKey || event.ctrlKey;
    const isHistory = mod && /^[zys]$/i.test(event.key);
    // The keys of the canvas behind would delete or move steps.
    if (!isHistory) event.stopPropagation();
    if (event.defaultPrevented) return;
    if (event.key === "Escape") onClose();
    else if (mod && event.shiftKey && event.key === "Enter") {
      event.preventDefault();
      test.run();
    }
  }
  const latest = useRef(onKeyDown);
  latest.current = onKeyDown;
  useEffect(() => {
    // A button that is pressed may disappear, and the focus with it.
    const onUnfocusedKey = (event: KeyboardEvent): void => {
      if (event.target === document.body) latest.current(event);
    };
    document.addEventListener("keydown", onUnfocusedKey, { capture: true });
    return () => document.removeEventListener("keydown", onUnfocusedKey, { capture: true });
  }, []);

  return createPortal(
    <section ref={root} className="step-wide" aria-label="Step" tabIndex={-1} onKeyDown={onKeyDown}>
      <header className="step-wide-head">
        <button type="button" className="btn ghost tiny" onClick={onClose}>
          <ArrowLeft size={14} aria-hidden /> Canvas <kbd>Esc</kbd>
        </button>
        <StepTile type={step.type} app={step["app"]} />
        <div className="step-names grow">
          <ReadOnlyUnless may="saveDraft">
            <StepTitle key={data.key} data={data} onRename={view.onRename} />
          </ReadOnlyUnless>
          <Place view={view} />
        </div>
        <PreviousNextSteps view={view} />
        <StepMenu actions={view.actions} />
        <TestStepButton test={test} primary />
      </header>
      <div className="step-wide-panes">
        <section aria-label="Input" className="wide-pane">
          <h3>Input</h3>
          <InputPane data={data} draft={draft} />
        </section>
        <section aria-label="Settings" className="wide-pane main">
          <h3>Settings</h3>
          <SettingsPane view={view} />
        </section>
        <section aria-label="Output" className="wide-pane">
          <h3>Output</h3>
          <MissingInputs data={data} inputSchema={draft.inputSchema} test={test} />
          <OutputPane data={data} pinning={pinning} />
        </section>
      </div>
    </section>,
    document.body,
  );
}
