import { useState } from "react";
import { stepTypes } from "../../../../contract/steps/catalogue.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { PickList } from "../../../ui/pick-list.tsx";
import { stepIcon } from "../../canvas/step-icons.ts";
import { STEP_TYPE_MIME } from "./editable-canvas.tsx";

const GROUPS = { connect: "Connect", ai: "AI", data: "Data", flow: "Flow" } as const;

/** All step types; drag one onto the canvas or click it. */
export function StepPalette({ onAdd }: { onAdd: (type: string) => void }) {
  return (
    <nav className="palette" aria-label="Steps">
      {Object.entries(GROUPS).map(([category, title]) => (
        <div key={category} className="palette-group">
          <div className="caps">{title}</div>
          {stepTypes
            .filter((entry) => entry.category === category)
            .map((entry) => {
              const Icon = stepIcon(entry.type);
              return (
                <button
                  key={entry.type}
                  type="button"
                  className="palette-item"
                  title={entry.description}
                  draggable
                  onDragStart={(event) => event.dataTransfer.setData(STEP_TYPE_MIME, entry.type)}
                  onClick={() => onAdd(entry.type)}
                >
                  <Icon size={14} aria-hidden /> {entry.title}
                </button>
              );
            })}
        </div>
      ))}
    </nav>
  );
}

/** The palette as a search dialog, for the keyboard and for narrow screens, where the palette is hidden. */
export function StepSearch({ onAdd, onClose }: { onAdd: (type: string) => void; onClose: () => void }) {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const found = stepTypes.filter(({ title, type, description }) =>
    `${title} ${type} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <Dialog title="Add step" onClose={onClose}>
      <PickList
        label="Search steps"
        text={text}
        onText={setText}
        items={found.map(({ type, title, description }) => {
          const Icon = stepIcon(type);
          return { key: type, title, detail: description, icon: <Icon size={15} aria-hidden /> };
        })}
        onPick={(type) => {
          onClose();
          onAdd(type);
        }}
        emptyMessage="No matching steps. An HTTP request can call any service."
      />
    </Dialog>
  );
}
