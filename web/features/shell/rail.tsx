import { Search } from "lucide-react";
import { Fragment } from "react";
import { Link } from "wouter";
import { useMe } from "../../api/accounts.ts";
import { useApprovals } from "../../api/approvals.ts";
import { modifier } from "../../ui/shortcuts.ts";
import { Bell } from "../notifications/bell.tsx";
import { administrationItem, isCurrent, navGroups, type NavItem, settingsItem } from "./navigation.ts";
import { ProfileMenu } from "./profile-menu.tsx";
import { WorkspaceMenu } from "./workspace-menu.tsx";
import { useMayOpen } from "./use-may-open.ts";

interface RailProps {
  location: string;
  /** On a phone the rail is a menu that opens above the screen. */
  isOpen: boolean;
  onSearch: () => void;
  onShortcuts: () => void;
}

export function Rail({ location, isOpen, onSearch, onShortcuts }: RailProps) {
  const mayOpen = useMayOpen();
  const isAdministrator = useMe().data?.isAdministrator === true;
  return (
    <nav className={`rail${isOpen ? " open" : ""}`} aria-label="Main">
      <WorkspaceMenu />
      <button type="button" className="rail-link rail-search" title="Search" onClick={onSearch}>
        <Search size={16} aria-hidden />
        <span className="label grow">Search</span>
        <kbd className="label">{modifier}K</kbd>
      </button>
      {navGroups.map((group, index) => (
        <Fragment key={group[0]?.to}>
          {index > 0 && <hr />}
          {group
            .filter(({ to }) => mayOpen(to))
            .map((item) => (
              <RailLink key={item.to} item={item} location={location} />
            ))}
        </Fragment>
      ))}
      <div className="rail-foot">
        <Bell />
        {isAdministrator && <RailLink item={administrationItem} location={location} />}
        <RailLink item={settingsItem} location={location} />
        <ProfileMenu onShortcuts={onShortcuts} />
      </div>
    </nav>
  );
}

function RailLink({ item, location }: { item: NavItem; location: string }) {
  const { to, label, icon: Icon } = item;
  return (
    <Link
      href={to}
      className="rail-link"
      title={label}
      aria-current={isCurrent(item, location) ? "page" : undefined}
    >
      <Icon size={16} aria-hidden />
      <span className="label">{label}</span>
      {to === "/approvals" && <OpenApprovals />}
    </Link>
  );
}

function OpenApprovals() {
  const approvals = useApprovals({ mine: true });
  const count = approvals.data?.length ?? 0;
  if (count === 0) return null;
  return (
    <b>
      {count}
      {approvals.hasMore ? "+" : ""}
    </b>
  );
}
