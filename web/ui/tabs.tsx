import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import "./styles/tabs.css";

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** A number after the label, such as how many headers there are. */
  count?: number | undefined;
}

interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  /** At the right of the tabs. */
  aside?: ReactNode;
  /** The content of the open tab. */
  children: ReactNode;
  className?: string;
}

/** Tabs with the keys of the ARIA pattern: arrows, Home and End. Only the open tab is rendered. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { label, value, onChange, tabs, aside, children, className = "" } = props;
  return (
    <RadixTabs.Root
      className={`tab-group ${className}`}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      <div className="tab-row">
        <RadixTabs.List className="tabs" aria-label={label}>
          {tabs.map((tab) => (
            <RadixTabs.Trigger key={tab.value} value={tab.value}>
              {tab.label}
              {tab.count !== undefined && <span className="tab-count"> {tab.count}</span>}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {aside}
      </div>
      <RadixTabs.Content value={value} className="tab-content" tabIndex={-1}>
        {children}
      </RadixTabs.Content>
    </RadixTabs.Root>
  );
}
