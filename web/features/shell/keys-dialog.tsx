import { Dialog } from "../../ui/dialog.tsx";
import { CANVAS_KEYS, KeyList, PAGE_KEYS } from "../../ui/key-list.tsx";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="stack tight">
        <div className="caps">Everywhere</div>
        <KeyList keys={PAGE_KEYS} />
      </div>
      <div className="stack tight">
        <div className="caps">On a workflow</div>
        <KeyList keys={CANVAS_KEYS} />
      </div>
    </Dialog>
  );
}
