import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, Suspense, useState } from "react";

interface OpenMenu {
  /** Where the pointer was, in the window. */
  at: { x: number; y: number };
  onClose: () => void;
}

interface RightClickMenuProps {
  /** A right click on this element, or Shift+F10 while something in it has the focus, opens the menu. */
  children: ReactElement<Record<string, unknown>>;
  /** May be loaded when it is opened first. */
  menu: (open: OpenMenu) => ReactNode;
}

export function RightClickMenu({ children, menu }: RightClickMenuProps) {
  const [at, setAt] = useState<OpenMenu["at"]>();
  return (
    <>
      {cloneElement(children, {
        onContextMenu: (event: MouseEvent) => {
          event.preventDefault();
          setAt({ x: event.clientX, y: event.clientY });
        },
      })}
      {at !== undefined && (
        <Suspense key={`${at.x},${at.y}`}>{menu({ at, onClose: () => setAt(undefined) })}</Suspense>
      )}
    </>
  );
}
