import { Keyboard, LogOut, Moon, Search, Sun } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { useMe, useSignOut } from "../../api/accounts.ts";
import { useApprovals } from "../../api/approvals.ts";
import { modifier, useShortcuts } from "../../ui/keys.ts";
import { GoAnywhere } from "./go-anywhere.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { places } from "./places.ts";
import { useTheme } from "./theme.ts";

export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  const [open, setOpen] = useState<"search" | "keys">();
  const [theme, toggleTheme] = useTheme();
  const me = useMe();
  const signOut = useSignOut();
  const approvals = useApprovals();
  const waiting = approvals.data?.length ?? 0;

  useEffect(() => setMenuOpen(false), [location]);
  useEffect(() => {
    const open = (): void => setMenuOpen(true);
    addEventListener("baton:menu", open);
    return () => removeEventListener("baton:menu", open);
  }, []);
  useShortcuts({
    "mod+k": (event) => {
      event.preventDefault();
      setOpen("search");
    },
    "?": () => setOpen("keys"),
    Escape: () => setMenuOpen(false),
  });

  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <button
        type="button"
        className={`rail-shade${menuOpen ? " open" : ""}`}
        aria-label="Close the menu"
        onClick={() => setMenuOpen(false)}
      />
      <nav className={`rail${menuOpen ? " open" : ""}`} aria-label="Main">
        <Link href="/workflows" className="brand" aria-label="Baton">
          <i />
          <span className="label">Baton</span>
        </Link>
        {places.map(({ to, label, icon: Icon, also }) => {
          const here = location.startsWith(to) || (also !== undefined && location.startsWith(also));
          return (
            <Link
              key={to}
              href={to}
              className="rail-link"
              title={label}
              aria-current={here ? "page" : undefined}
            >
              <Icon size={16} aria-hidden />
              <span className="label">{label}</span>
              {to === "/approvals" && waiting > 0 && (
                <b>
                  {waiting}
                  {approvals.hasMore ? "+" : ""}
                </b>
              )}
            </Link>
          );
        })}
        <div className="rail-foot">
          <button type="button" className="rail-link" title="Go anywhere" onClick={() => setOpen("search")}>
            <Search size={16} aria-hidden />
            <span className="label">
              Go anywhere <kbd className="wide-only">{modifier}K</kbd>
            </span>
          </button>
          <button type="button" className="rail-link wide-only" title="Keys" onClick={() => setOpen("keys")}>
            <Keyboard size={16} aria-hidden />
            <span className="label">
              Keys <kbd>?</kbd>
            </span>
          </button>
          <button
            type="button"
            className="rail-link"
            title={theme === "dark" ? "Light" : "Dark"}
            onClick={toggleTheme}
          >
            {theme === "dark" ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
            <span className="label">{theme === "dark" ? "Light" : "Dark"}</span>
          </button>
          <button type="button" className="rail-link" title="Sign out" onClick={signOut}>
            <LogOut size={16} aria-hidden />
            <span className="label">Sign out</span>
          </button>
          <div className="who ellipsis" title={me.data?.email}>
            {me.data?.email ?? "\u00a0"}
          </div>
        </div>
      </nav>
      {children}
      {open === "search" && <GoAnywhere onClose={() => setOpen(undefined)} />}
      {open === "keys" && <KeysDialog onClose={() => setOpen(undefined)} />}
    </div>
  );
}
