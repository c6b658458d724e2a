import { useLocation } from "wouter";
import { TabLinks } from "../../ui/tab-links.tsx";
import { settingsScreens } from "../shell/navigation.ts";
import { useMayOpen } from "../shell/use-may-open.ts";

export function SettingsTabs() {
  const [location] = useLocation();
  const mayOpen = useMayOpen();
  const tabs = settingsScreens.filter(([to]) => mayOpen(to)).map(([to, label]) => ({ to, label }));
  return <TabLinks label="Settings" tabs={tabs} current={location} />;
}
