import { ArrowRightLeft, MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { type TransferredRecord, useTransferTargets } from "../../api/transfers.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LazyMenu } from "../../ui/lazy-menu.tsx";
import type { MenuItem } from "../../ui/menu.tsx";

// Opened from menus: no screen carries it.
export const TransferDialog = lazyComponent(() => import("./transfer-dialog.tsx"), "TransferDialog");

/** The entry of a menu; none when the person may create records in no other workspace. */
export function useTransferItem(onSelect: () => void): MenuItem[] {
  const targets = useTransferTargets();
  if (targets.length === 0) return [];
  return [{ label: "Move or copy to workspace…", icon: <ArrowRightLeft size={14} />, onSelect }];
}

/** The menu of a record whose other actions are buttons. */
export function TransferMenu({ record }: { record: TransferredRecord }) {
  const [isOpen, setOpen] = useState(false);
  const item = useTransferItem(() => setOpen(true));
  return (
    <>
      <LazyMenu
        trigger={
          <button type="button" className="btn ghost icon" aria-label={`Actions of ${record.name}`}>
            <MoreHorizontal size={15} />
          </button>
        }
        groups={[item]}
      />
      <Suspense fallback={null}>
        {isOpen && <TransferDialog record={record} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
