import { Link, useLocation } from "wouter";
import { settingsScreens } from "../shell/navigation.ts";
import { useMayOpen } from "../shell/use-may-open.ts";

export function SettingsTabs() {
  const [location] = useLocation();
  const mayOpen = useMayOpen();
  return (
    <nav className="tabs" aria-label="Settings">
      {settingsScreens
        .filter(([to]) => mayOpen(to))
        .map(([to, label]) => (
          <Link key={to} href={to} aria-current={location === to ? "page" : undefined}>
            {label}
          </Link>
        ))}
    </nav>
  );
}
