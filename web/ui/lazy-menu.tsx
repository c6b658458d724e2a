import { cloneElement, type ReactElement, Suspense, useState } from "react";
import { lazyComponent } from "./lazy-component.ts";
import type { MenuGroups } from "./menu.tsx";
import { usePermitted } from "./use-permitted.ts";

const load = () => import("./menu.tsx");
const Menu = lazyComponent(load, "Menu");

interface LazyMenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<Record<string, unknown>>;
  groups: MenuGroups;
  align?: "start" | "end";
}

/** A menu whose code is loaded when the pointer or the focus reaches the button. */
export function LazyMenu({ trigger, groups: all, align = "end" }: LazyMenuProps) {
  const groups = usePermitted(all);
  const [isWanted, setWanted] = useState(false);
  const preload = (): void => void load();
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () => setWanted(true),
  });
  if (groups.length === 0) return null;
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Menu trigger={trigger} groups={groups} align={align} defaultOpen />
    </Suspense>
  );
}
