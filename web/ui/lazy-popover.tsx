import { cloneElement, type ReactElement, Suspense, useState } from "react";
import { lazyComponent } from "./lazy-component.ts";
import type { PopoverProps } from "./popover.tsx";

const load = () => import("./popover.tsx");
const Popover = lazyComponent(load, "Popover");

type LazyPopoverProps = PopoverProps & { trigger: ReactElement<Record<string, unknown>> };

/** A popover whose code is loaded when the pointer or the focus reaches its button, or when it is opened. */
export function LazyPopover(props: LazyPopoverProps) {
  const [ownOpen, setOwnOpen] = useState(false);
  const { trigger, open = ownOpen, onOpenChange = setOwnOpen } = props;
  const [isWanted, setWanted] = useState(false);
  if (open && !isWanted) setWanted(true);
  const preload = (): void => void load();
  const button = cloneElement(trigger, {
    "aria-haspopup": "dialog",
    "aria-expanded": false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => onOpenChange(true),
  });
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Popover {...props} open={open} onOpenChange={onOpenChange} />
    </Suspense>
  );
}
