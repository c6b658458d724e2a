import "./styles/app-tile.css";

export interface AppIcon {
  letters: string;
  color: string;
}

interface AppTileProps {
  icon: AppIcon;
  size?: "small" | "large";
}

/** The letters of an app on its colour. Decoration: the name of the app is always beside it. */
export function AppTile({ icon: { letters, color }, size = "small" }: AppTileProps) {
  return (
    <span
      className={`app-tile${size === "large" ? " large" : ""}`}
      style={{ background: color, color: inkOn(color) }}
      aria-hidden
    >
      {letters}
    </span>
  );
}

/** White, or black on a light colour. */
function inkOn(color: string): string {
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color)?.slice(1) ?? ["0", "0", "0"];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 160 ? "#1d1b18" : "#ffffff";
}
