import { Popover } from "radix-ui";
import { useRef } from "react";
import type { Point } from "../../../flow/draft.ts";
import { StepSearch, type StepSearchProps } from "./step-search.tsx";
import "./step-picker.css";

interface StepPickerProps extends StepSearchProps {
  /** Next to this point of the window; without one, next to the button that adds steps. */
  near: Point | undefined;
  onClose: () => void;
}

const NARROW = 700;

/** Finds a step by its name or by a word that people use for it, and adds it where the picker was opened. */
export function StepPicker(props: StepPickerProps) {
  const { near, onClose } = props;
  // Radix places the popover next to whatever has this rectangle.
  const anchor = useRef({ getBoundingClientRect: () => rectangleAt(near) });
  anchor.current = { getBoundingClientRect: () => rectangleAt(near) };
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover step-picker"
          // On a phone there is no room beside anything.
          side={innerWidth <= NARROW ? "bottom" : "right"}
          align="start"
          sideOffset={14}
          collisionPadding={8}
          aria-label="Add step"
          onOpenAutoFocus={(event) => {
            // Radix would select the text, and the next letter would replace it.
            event.preventDefault();
            (event.target as Element).querySelector<HTMLElement>(".picker-input")?.focus();
          }}
        >
          <StepSearch {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function rectangleAt(near: Point | undefined): DOMRect {
  const button = document.querySelector(".canvas-tools [aria-label='Add step']");
  if (near === undefined && button !== null) return button.getBoundingClientRect();
  return new DOMRect(near?.x ?? innerWidth / 2, near?.y ?? innerHeight / 3, 0, 0);
}
