import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { PickList } from "../../ui/pick-list.tsx";
import { stepIcon } from "./step-icons.ts";
import type { StepLikeNode } from "./canvas-node.ts";

const MAX_SHOWN = 50;

interface FindStepProps {
  nodes: readonly StepLikeNode[];
  onPick: (stepId: string) => void;
  onClose: () => void;
}

/** Searches all steps. The search of the browser finds only rendered ones, and large graphs render one screenful. */
export function FindStep({ nodes, onPick, onClose }: FindStepProps) {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const found = nodes.filter(({ id, data }) =>
    `${data.title}\n${id}\n${data.summary}`.toLowerCase().includes(wanted),
  );
  return (
    <Dialog title="Find step" onClose={onClose}>
      <PickList
        label="Search by name, ID or description"
        text={text}
        onText={setText}
        items={found.slice(0, MAX_SHOWN).map(({ id, data }) => {
          const Icon = stepIcon(data.type);
          return { key: id, title: data.title, detail: data.summary, icon: <Icon size={15} aria-hidden /> };
        })}
        onPick={(stepId) => {
          onClose();
          onPick(stepId);
        }}
        emptyMessage="No matching steps."
      />
    </Dialog>
  );
}
