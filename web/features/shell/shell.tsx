import { type ReactNode, Suspense, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { needsWidth } from "./navigation.ts";
import { Rail } from "./rail.tsx";
import { useCollapsedRail } from "./use-collapsed-rail.ts";

const CommandPalette = lazyComponent(() => import("./command-palette.tsx"), "CommandPalette");
const ShortcutsDialog = lazyComponent(() => import("./shortcuts-dialog.tsx"), "ShortcutsDialog");

type ShellDialog = "search" | "shortcuts";

/** The navigation around every screen, and the dialogs that open from anywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<ShellDialog>();
  const [collapsed, toggleRail] = useCollapsedRail(needsWidth(location));
  const closeDialog = (): void => setDialog(undefined);

  useEffect(() => setMenuOpen(false), [location]);
  useEffect(() => {
    const openMenu = (): void => setMenuOpen(true);
    const openShortcuts = (): void => setDialog("shortcuts");
    addEventListener("baton:menu", openMenu);
    addEventListener("baton:shortcuts", openShortcuts);
    return () => {
      removeEventListener("baton:menu", openMenu);
      removeEventListener("baton:shortcuts", openShortcuts);
    };
  }, []);
  useShortcuts({
    "mod+k": (event) => {
      event.preventDefault();
      setDialog("search");
    },
    "?": () => setDialog("shortcuts"),
    "[": toggleRail,
    Escape: () => setMenuOpen(false),
  });

  return (
    <div className={collapsed ? "app slim" : "app"}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <button
        type="button"
        className={`rail-shade${menuOpen ? " open" : ""}`}
        aria-label="Close menu"
        onClick={() => setMenuOpen(false)}
      />
      <Rail
        location={location}
        isOpen={menuOpen}
        onSearch={() => setDialog("search")}
        onShortcuts={() => setDialog("shortcuts")}
      />
      {children}
      <Suspense>
        {dialog === "search" && (
          <CommandPalette onClose={closeDialog} onShortcuts={() => setDialog("shortcuts")} />
        )}
        {dialog === "shortcuts" && <ShortcutsDialog onClose={closeDialog} />}
      </Suspense>
    </div>
  );
}
