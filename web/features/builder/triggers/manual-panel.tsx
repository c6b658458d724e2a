import { Play } from "lucide-react";
import { Allowed, ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { AddTriggerTiles } from "./add-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";

export function ManualPanel({ builder }: TriggerPanelProps) {
  return (
    <PanelFrame builder={builder} kind="manual" title="Manual" may="updateWorkflow">
      <p className="small muted">Nothing starts this workflow by itself. Run it here, or choose a trigger.</p>
      <Allowed to="runWorkflow">
        <div>
          <button type="button" className="btn" onClick={builder.commands.runOrAsk}>
            <Play size={14} /> Run
          </button>
        </div>
      </Allowed>
      <ReadOnlyUnless may="updateWorkflow">
        <section className="stack tight" aria-label="Choose a trigger">
          <h3>Choose a trigger</h3>
          <AddTriggerTiles builder={builder} />
        </section>
        <InputFieldsEditor builder={builder} />
      </ReadOnlyUnless>
    </PanelFrame>
  );
}
