import { Popover as RadixPopover } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import "./styles/floating.css";

export interface PopoverProps {
  /** The button that opens the popover. */
  trigger: ReactElement;
  /** The accessible name of the popover. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
  side?: "top" | "right" | "bottom" | "left";
  className?: string;
  children: ReactNode;
}

/** A panel next to its button. It closes on Escape and on a click outside, and gives the focus back. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = "end",
  side = "bottom",
  className = "",
  children,
}: PopoverProps) {
  return (
    <RadixPopover.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          className={`popover ${className}`}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
