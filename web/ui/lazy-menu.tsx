import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from "react";
import { lazyComponent } from "./lazy-component.ts";
import type { MenuGroups } from "./menu.tsx";
import { usePermitted } from "./use-permitted.ts";

const loadMenu = () => import("./menu.tsx");
const Menu = lazyComponent(loadMenu, "Menu");

interface LoadOnOpenProps {
  /** The button that opens the menu. */
  trigger: ReactElement<Record<string, unknown>>;
  load: () => Promise<unknown>;
  /** The menu, open from the start. */
  children: ReactNode;
}

/** Shows a button until it is pressed, then the menu. Loads the code when the pointer or the focus reaches the button. */
export function LoadOnOpen({ trigger, load, children }: LoadOnOpenProps) {
  const [isWanted, setWanted] = useState(false);
  const preload = (): void => void load();
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
  });
  return isWanted ? <Suspense fallback={button}>{children}</Suspense> : button;
}

interface LazyMenuProps {
  trigger: ReactElement<Record<string, unknown>>;
  groups: MenuGroups;
  align?: "start" | "end";
}

export function LazyMenu({ trigger, groups: all, align = "end" }: LazyMenuProps) {
  const groups = usePermitted(all);
  if (groups.length === 0) return null;
  return (
    <LoadOnOpen trigger={trigger} load={loadMenu}>
      <Menu trigger={trigger} groups={groups} align={align} defaultOpen />
    </LoadOnOpen>
  );
}
