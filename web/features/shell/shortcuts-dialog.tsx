import { Dialog } from "../../ui/dialog.tsx";
import { CANVAS_SHORTCUTS, PAGE_SHORTCUTS, ShortcutList } from "../../ui/shortcut-list.tsx";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <div className="stack tight">
        <div className="caps">Everywhere</div>
        <ShortcutList shortcuts={PAGE_SHORTCUTS} />
      </div>
      <div className="stack tight">
        <div className="caps">In the builder</div>
        <ShortcutList shortcuts={CANVAS_SHORTCUTS} />
      </div>
    </Dialog>
  );
}
