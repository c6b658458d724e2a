import { Link, useLocation } from "wouter";

const TABS = [
  ["/endpoints", "Endpoints"],
  ["/endpoints/webhooks", "Webhooks"],
  ["/endpoints/schedules", "Schedules"],
] as const;

export function EndpointTabs() {
  const [location] = useLocation();
  return (
    <nav className="tabs" aria-label="Endpoints">
      {TABS.map(([to, label]) => (
        <Link key={to} href={to} aria-current={location === to ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
