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

const READABLE = 4.5;

/** White where it can be read, otherwise black: one of the two always can. */
function inkOn(color: string): string {
  const parts = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color)?.slice(1) ?? [];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= READABLE ? "#ffffff" : "#000000";
}
