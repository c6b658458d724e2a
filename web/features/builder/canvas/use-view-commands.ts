import { useReactFlow, useStore } from "@xyflow/react";
import { useShortcuts } from "../../../ui/shortcuts.ts";
import { FIT_OPTIONS } from "../../canvas/zoom-controls.tsx";
import type { BuilderState } from "../use-builder.ts";

/** Commands that depend on what is visible: a note goes to the middle of it, and F fits everything into it. */
export function useViewCommands({ commands }: BuilderState) {
  const flow = useReactFlow();
  const element = useStore(({ domNode }) => domNode);
  const addNote = (): void => {
    const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
    commands.addNote(flow.screenToFlowPosition({ x: left + width / 4, y: top + height / 3 }));
  };
  const fit = (): void => void flow.fitView(FIT_OPTIONS);
  useShortcuts({
    n: (event) => {
      event.preventDefault();
      addNote();
    },
    f: (event) => {
      event.preventDefault();
      fit();
    },
    "shift+F10": (event) => {
      event.preventDefault();
      openMenu(event.target);
    },
  });
  return { addNote, fit };
}

/** Browsers differ in whether they send this event for the key, so the page sends it itself. */
function openMenu(target: EventTarget | null): void {
  const selected = document.querySelector(".canvas :is(.node.sel, .loop.sel, .note.sel)");
  const onCanvas = target instanceof Element && target.closest(".canvas") !== null ? target : undefined;
  const element = selected ?? onCanvas ?? document.querySelector(".canvas");
  if (element === null) return;
  const { left, top, width, height } = element.getBoundingClientRect();
  const clientX = left + Math.min(width / 2, innerWidth / 2);
  const clientY = top + Math.min(height / 2, innerHeight / 2);
  element.dispatchEvent(
    new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX, clientY, button: 2 }),
  );
}
