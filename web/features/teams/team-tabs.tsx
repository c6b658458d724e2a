import { Link, useLocation } from "wouter";

const TABS = [
  ["/teams", "Teams"],
  ["/agents", "Agents"],
] as const;

export function TeamTabs() {
  const [location] = useLocation();
  return (
    <nav className="tabs" aria-label="Teams and agents">
      {TABS.map(([to, label]) => (
        <Link key={to} href={to} aria-current={location === to ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
