import { Link, useLocation } from "wouter";

const TABS = [
  ["/connections", "Connections"],
  ["/connections/oauth-clients", "OAuth clients"],
] as const;

export function ConnectionTabs() {
  const [location] = useLocation();
  const isTab = TABS.some(([to]) => to === location);
  return (
    <nav className="tabs" aria-label="Connections">
      {TABS.map(([to, label]) => (
        <Link
          key={to}
          href={to}
          aria-current={location === to || (!isTab && to === "/connections") ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
