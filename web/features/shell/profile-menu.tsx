import { Keyboard, LogOut, Moon, Sun } from "lucide-react";
import { useRef } from "react";
import { useMe, useSignOut } from "../../api/accounts.ts";
import { useTheme } from "./use-theme.ts";

/** The account at the foot of the rail. A native popover: the menus of Radix would weigh on the first screen. */
export function ProfileMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const popover = useRef<HTMLDivElement>(null);
  const [theme, toggleTheme] = useTheme();
  const me = useMe();
  const signOut = useSignOut();
  const name = me.data?.name || me.data?.email || "Account";
  const isDark = theme === "dark";
  return (
    <>
      <button type="button" className="rail-link" title={name} popoverTarget="profile">
        <span className="avatar" aria-hidden>
          {initialsOf(name)}
        </span>
        <span className="label ellipsis">{name}</span>
        <span className="visually-hidden">Account</span>
      </button>
      <div id="profile" popover="auto" ref={popover} className="profile" aria-label="Account">
        <p className="small muted ellipsis">{me.data?.email ?? "\u00a0"}</p>
        <button type="button" className="rail-link" onClick={toggleTheme}>
          {isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          {isDark ? "Light theme" : "Dark theme"}
        </button>
        <button
          type="button"
          className="rail-link"
          onClick={() => {
            popover.current?.hidePopover();
            onShortcuts();
          }}
        >
          <Keyboard size={16} aria-hidden />
          <span className="grow">Shortcuts</span>
          <kbd>?</kbd>
        </button>
        <button type="button" className="rail-link" onClick={signOut}>
          <LogOut size={16} aria-hidden />
          Sign out
        </button>
      </div>
    </>
  );
}

/** "Mia Brandt" → "MB", "lena@example.org" → "L". */
function initialsOf(name: string): string {
  const [first = "", second = ""] = (name.split("@")[0] ?? "").split(/[\s._-]+/);
  return `${first.charAt(0)}${second.charAt(0)}`.toUpperCase();
}
