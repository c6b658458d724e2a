import { DropdownMenu } from "radix-ui";
import { type ReactElement, type ReactNode, useRef, useState } from "react";
import "./styles/floating.css";
import type { Operation } from "../api/permissions.ts";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** The key that does the same, shown at the right. */
  shortcut?: string | undefined;
  onSelect: () => void;
  /** The action opens something that takes the focus, so the button of the menu must not take it back. */
  movesFocus?: boolean | undefined;
  disabled?: boolean | undefined;
  danger?: boolean | undefined;
  /** Left out for a role that may not call this operation. */
  may?: Operation | undefined;
}

/** Groups are separated by a line; an empty group is left out. */
export type MenuGroups = readonly (readonly MenuItem[])[];

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  groups: MenuGroups;
  align?: "start" | "end";
  defaultOpen?: boolean;
}

export function Menu({ trigger, groups, align = "end", defaultOpen = false }: MenuProps) {
  const movesFocus = useRef(false);
  return (
    <DropdownMenu.Root defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (movesFocus.current) event.preventDefault();
            movesFocus.current = false;
          }}
        >
          <Items
            groups={groups}
            parts={DropdownMenu}
            onSelected={(item) => {
              movesFocus.current = item.movesFocus === true;
            }}
          />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

interface PointMenuProps {
  /** Where the pointer was, in the window. */
  at: { x: number; y: number };
  groups: MenuGroups;
  onClose: () => void;
}

/** A menu at a point. The element that had the focus gets it back, unless the chosen action moved it into a field. */
export function PointMenu({ at, groups, onClose }: PointMenuProps) {
  const [before] = useState(() => document.activeElement);
  return (
    // Not modal: that hides the page from screen readers while the menu is open, also what had the focus.
    <DropdownMenu.Root defaultOpen modal={false} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden style={{ position: "fixed", left: at.x, top: at.y }} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={2}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const isTyping = document.activeElement?.matches("input, textarea, [contenteditable=true]");
            if (isTyping !== true && before instanceof HTMLElement) before.focus();
          }}
        >
          <Items groups={groups} parts={DropdownMenu} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Items({
  groups,
  parts,
  onSelected,
}: {
  groups: MenuGroups;
  parts: Pick<typeof DropdownMenu, "Item" | "Separator">;
  onSelected?: (item: MenuItem) => void;
}) {
  const shown = groups.filter((group) => group.length > 0);
  return shown.map((group, index) => [
    index > 0 && <parts.Separator key={`line-${index}`} className="menu-line" />,
    ...group.map((item) => (
      <parts.Item
        key={item.label}
        className={item.danger === true ? "menu-item danger" : "menu-item"}
        disabled={item.disabled ?? false}
        onSelect={() => {
          onSelected?.(item);
          item.onSelect();
        }}
      >
        {item.icon}
        <span className="grow">{item.label}</span>
        {item.shortcut !== undefined && <kbd>{item.shortcut}</kbd>}
      </parts.Item>
    )),
  ]);
}
