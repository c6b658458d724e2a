import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from "react";
import { chipAtCaret, type EditedText, replaceRange, type TextRange } from "../../../flow/chips.ts";
import { beginHistory, type History, record, redo, undo } from "../../../flow/history.ts";
import { isNormalized, placeCaret, readText, renderText, selectedRange } from "./chip-text.ts";

interface ChipTextOptions {
  root: RefObject<HTMLDivElement | null>;
  value: string;
  titles: ReadonlyMap<string, string>;
  onChange: (value: string) => void;
  /** Called when `{{` was typed, with its position, to open the value picker. */
  onBraces: (range: TextRange) => void;
  multiline: boolean;
}

/** Edits text with chips. The browser handles typing; every key that could split a chip is handled here. */
export function useChipText({ root, value, titles, onChange, onBraces, multiline }: ChipTextOptions) {
  const history = useRef(beginHistory<EditedText>({ text: value, caret: value.length }));
  const shownTitles = useRef<ReadonlyMap<string, string>>(undefined);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    // The element already shows the value after every keystroke; rendering it again would move the caret.
    if (readText(element) === value && shownTitles.current === titles && isNormalized(element)) return;
    const caret = document.activeElement === element ? selectedRange(element)?.end : undefined;
    renderText(element, value, titles);
    shownTitles.current = titles;
    history.current = { ...history.current, present: { text: value, caret: caret ?? value.length } };
    if (caret !== undefined) placeCaret(element, Math.min(caret, value.length));
  }, [root, value, titles]);

  function show(next: History<EditedText>): void {
    const element = root.current;
    if (element === null || next === history.current) return;
    history.current = next;
    renderText(element, next.present.text, titles);
    placeCaret(element, next.present.caret);
    onChange(next.present.text);
  }

  function replace(range: TextRange, insert: string): void {
    if (root.current === null) return;
    show(record(history.current, replaceRange(readText(root.current), range, insert)));
  }

  /** Reads the text back after the browser has changed the element. */
  function syncFromDom(event: SyntheticEvent): void {
    const element = root.current;
    // An input method is composing a character; changing the element now would abort it.
    if (element === null || (event.nativeEvent as InputEvent).isComposing) return;
    const caret = selectedRange(element)?.end ?? 0;
    const read = readText(element);
    const text = multiline ? read : read.replaceAll("\n", "");
    const before = history.current.present.text;
    if (text === before) return;
    history.current = record(history.current, { text, caret });
    if (!isNormalized(element) || text !== read) {
      renderText(element, text, titles);
      placeCaret(element, caret);
    }
    onChange(text);
    // Deleting a letter after `{{` must not open the picker again.
    if (text.length > before.length && text.slice(0, caret).endsWith("{{"))
      onBraces({ start: caret - 2, end: caret });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const element = root.current;
    const range = element === null ? undefined : selectedRange(element);
    if (element === null || range === undefined || event.nativeEvent.isComposing) return;
    const mod = event.metaKey || event.ctrlKey;
    // The undo of the browser would restore chips as plain text.
    if (mod && event.key.toLowerCase() === "z")
      show(event.shiftKey ? redo(history.current) : undo(history.current));
    else if (mod && event.key.toLowerCase() === "y") show(redo(history.current));
    else if (mod || event.altKey) return;
    else if (event.key === "Enter") {
      if (multiline) replace(range, "\n");
    } else if (range.start !== range.end || event.shiftKey) return;
    else {
      const side = event.key === "Backspace" || event.key === "ArrowLeft" ? -1 : 1;
      const chip = chipAtCaret(readText(element), range.start, side);
      if (chip === undefined) return;
      if (event.key === "Backspace" || event.key === "Delete") replace(chip, "");
      else if (event.key === "ArrowLeft") placeCaret(element, chip.start);
      else if (event.key === "ArrowRight") placeCaret(element, chip.end);
      else return;
    }
    event.preventDefault();
  }

  function onCopy(event: ClipboardEvent): void {
    const range = root.current === null ? undefined : selectedRange(root.current);
    if (root.current === null || range === undefined || range.start === range.end) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", readText(root.current).slice(range.start, range.end));
    if (event.type === "cut") replace(range, "");
  }

  function onPaste(event: ClipboardEvent): void {
    const range = root.current === null ? undefined : selectedRange(root.current);
    if (range === undefined) return;
    event.preventDefault();
    const text = event.clipboardData.getData("text/plain").replaceAll("\r\n", "\n");
    replace(range, multiline ? text : text.replaceAll("\n", " "));
  }

  return {
    replace,
    handlers: {
      onInput: syncFromDom,
      onCompositionEnd: syncFromDom,
      onKeyDown,
      onCopy,
      onCut: onCopy,
      onPaste,
    },
  };
}
