import { Database, HardDrive, KeyRound, Mail } from "lucide-react";
import { useApps } from "../../api/apps.ts";
import type { Connection } from "../../api/connections.ts";
import { AppTile } from "../../ui/app-tile.tsx";

const icons = { database: Database, s3: HardDrive, smtp: Mail, imap: Mail } as const;

type Shown = Pick<Connection, "app" | "kind">;

/** The letters of the app, or an icon for the kind. */
export function ConnectionTile({ connection: { app, kind } }: { connection: Shown }) {
  const icon = useApps(app !== null).data?.find(({ id }) => id === app)?.icon;
  if (icon !== undefined) return <AppTile icon={icon} size="large" />;
  const Icon = kind in icons ? icons[kind as keyof typeof icons] : KeyRound;
  return (
    <span className="app-tile large plain" aria-hidden>
      <Icon size={15} />
    </span>
  );
}
