import { CircleUser, Keyboard, LogOut, Moon, Search, Sun } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { useMe, useSignOut } from "../../api/accounts.ts";
import { useApprovals } from "../../api/approvals.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CANVAS_SHORTCUTS, PAGE_SHORTCUTS, ShortcutList } from "../../ui/shortcut-list.tsx";
import { modifier, useShortcuts } from "../../ui/shortcuts.ts";
import { GoToDialog } from "./go-to-dialog.tsx";
import { navItems } from "./navigation.ts";
import { useTheme } from "./use-theme.ts";

type ShellDialog = "go-to" | "shortcuts";

/** The navigation around every screen, and the dialogs that open from anywhere. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<ShellDialog>();
  const closeDialog = (): void => setDialog(undefined);

  useEffect(() => setMenuOpen(false), [location]);
  useEffect(() => {
    const openMenu = (): void => setMenuOpen(true);
    addEventListener("baton:menu", openMenu);
    return () => removeEventListener("baton:menu", openMenu);
  }, []);
  useShortcuts({
    "mod+k": (event) => {
      event.preventDefault();
      setDialog("go-to");
    },
    "?": () => setDialog("shortcuts"),
    Escape: () => setMenuOpen(false),
  });

  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <button
        type="button"
        className={`rail-shade${menuOpen ? " open" : ""}`}
        aria-label="Close menu"
        onClick={() => setMenuOpen(false)}
      />
      <nav className={`rail${menuOpen ? " open" : ""}`} aria-label="Main">
        <Link href="/workflows" className="brand" aria-label="Baton">
          <i />
          <span className="label">Baton</span>
        </Link>
        <NavLinks location={location} />
        <NavFooter onOpen={setDialog} />
      </nav>
      {children}
      {dialog === "go-to" && <GoToDialog onClose={closeDialog} />}
      {dialog === "shortcuts" && <ShortcutsDialog onClose={closeDialog} />}
    </div>
  );
}

function NavLinks({ location }: { location: string }) {
  const approvals = useApprovals();
  const openApprovals = approvals.data?.length ?? 0;
  return navItems.map(({ to, label, icon: Icon, also }) => {
    const isCurrent = location.startsWith(to) || (also !== undefined && location.startsWith(also));
    return (
      <Link
        key={to}
        href={to}
        className="rail-link"
        title={label}
        aria-current={isCurrent ? "page" : undefined}
      >
        <Icon size={16} aria-hidden />
        <span className="label">{label}</span>
        {to === "/approvals" && openApprovals > 0 && (
          <b>
            {openApprovals}
            {approvals.hasMore ? "+" : ""}
          </b>
        )}
      </Link>
    );
  });
}

function NavFooter({ onOpen }: { onOpen: (dialog: ShellDialog) => void }) {
  const [theme, toggleTheme] = useTheme();
  const me = useMe();
  const signOut = useSignOut();
  const otherTheme = theme === "dark" ? "Light" : "Dark";
  return (
    <div className="rail-foot">
      <button type="button" className="rail-link" title="Go to …" onClick={() => onOpen("go-to")}>
        <Search size={16} aria-hidden />
        <span className="label">
          Go to … <kbd className="wide-only">{modifier}K</kbd>
        </span>
      </button>
      <button
        type="button"
        className="rail-link wide-only"
        title="Shortcuts"
        onClick={() => onOpen("shortcuts")}
      >
        <Keyboard size={16} aria-hidden />
        <span className="label">
          Shortcuts <kbd>?</kbd>
        </span>
      </button>
      <button type="button" className="rail-link" title={otherTheme} onClick={toggleTheme}>
        {theme === "dark" ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
        <span className="label">{otherTheme}</span>
      </button>
      <Link href="/account" className="rail-link" title="Account">
        <CircleUser size={16} aria-hidden />
        <span className="label">Account</span>
      </Link>
      <button type="button" className="rail-link" title="Sign out" onClick={signOut}>
        <LogOut size={16} aria-hidden />
        <span className="label">Sign out</span>
      </button>
      <div className="who ellipsis" title={me.data?.email}>
        {me.data?.email ?? "\u00a0"}
      </div>
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
