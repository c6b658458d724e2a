import { cloneElement, type MouseEvent, type ReactElement, Suspense, useState } from "react";
import { lazyComponent } from "./lazy-component.ts";
import type { MenuGroups } from "./menu.tsx";
import { usePermitted } from "./use-permitted.ts";

const PointMenu = lazyComponent(
  async () => ({ PointMenu: (await import("./menu.tsx")).PointMenu }),
  "PointMenu",
);

interface RightClickMenuProps {
  /** A right click on this element, or Shift+F10 while something in it has the focus, opens the menu. */
  children: ReactElement<Record<string, unknown>>;
  groups: MenuGroups;
}

/** The code of the menu is loaded when it is opened first. */
export function RightClickMenu({ children, groups: all }: RightClickMenuProps) {
  const groups = usePermitted(all);
  const [at, setAt] = useState<{ x: number; y: number }>();
  return (
    <>
      {cloneElement(children, {
        onContextMenu: (event: MouseEvent) => {
          event.preventDefault();
          setAt({ x: event.clientX, y: event.clientY });
        },
      })}
      {at !== undefined && groups.length > 0 && (
        <Suspense>
          <PointMenu key={`${at.x},${at.y}`} at={at} groups={groups} onClose={() => setAt(undefined)} />
        </Suspense>
      )}
    </>
  );
}
