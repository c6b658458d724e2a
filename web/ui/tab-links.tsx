import { Link } from "wouter";

interface TabLinksProps {
  label: string;
  tabs: readonly { to: string; label: string }[];
  current: string;
}

/** The screens of a section, side by side. On a phone the current one may be beyond the edge, and is scrolled into sight. */
export function TabLinks({ label, tabs, current }: TabLinksProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          href={tab.to}
          aria-current={tab.to === current ? "page" : undefined}
          ref={tab.to === current ? scrollIntoSight : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}

function scrollIntoSight(tab: HTMLAnchorElement | null): void {
  tab?.scrollIntoView({ block: "nearest", inline: "center" });
}
