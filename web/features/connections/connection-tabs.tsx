import { Link, useLocation } from "wouter";

const TABS = [
  ["/connections", "Connections"],
  ["/connections/apis", "APIs"],
  ["/connections/oauth-clients", "OAuth clients"],
] as const;

export function ConnectionTabs() {
  const [location] = useLocation();
  // The longest address that the location begins with: a record of a tab belongs to it.
  const current = TABS.map(([to]) => to)
    .filter((to) => location === to || location.startsWith(`${to}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  return (
    <nav className="tabs" aria-label="Connections">
      {TABS.map(([to, label]) => (
        <Link key={to} href={to} aria-current={to === current ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
