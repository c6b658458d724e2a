import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../../ui/dialog.tsx";
import { CANVAS_SHORTCUTS, PAGE_SHORTCUTS, ShortcutList } from "../../ui/shortcut-list.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { CommandPalette } from "./command-palette.tsx";
import { needsWidth } from "./navigation.ts";
import { Rail } from "./rail.tsx";
import { useCollapsedRail } from "./use-collapsed-rail.ts";

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
      {dialog === "search" && (
        <CommandPalette onClose={closeDialog} onShortcuts={() => setDialog("shortcuts")} />
      )}
      {dialog === "shortcuts" && <ShortcutsDialog onClose={closeDialog} />}
    </div>
  );
}

function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <div className="stack tight">
        <div className="caps">Everywhere</div>
        <ShortcutList shortcuts={PAGE_SHORTCUTS} />
      </div>
      <div className="stack tight">
        <div className="caps">In the builder</div>
        <ShortcutList shortcuts={CANVAS_SHORTCUTS} />
      </div>
    </Dialog>
  );
}
