import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from "react";
import { chipAtCaret, type EditedText, replaceRange, type TextRange } from "../../../flow/chips.ts";
import { isNormalized, placeCaret, readText, selectedRange, renderText } from "./chip-text.ts";

interface ChipTextOptions {
  root: RefObject<HTMLDivElement | null>;
  value: string;
  titles: ReadonlyMap<string, string>;
  onChange: (value: string) => void;
  /** Called when `{{` was typed, with its position, to open the value picker. */
  onBraces: (range: TextRange) => void;
  multiline: boolean;
}

const MAX_UNDO = 200;

/** Edits text with chips. The browser handles typing; every key that could split a chip is handled here. */
export function useChipText({ root, value, titles, onChange, onBraces, multiline }: ChipTextOptions) {
  const undoStack = useRef<{ past: EditedText[]; future: EditedText[] }>({ past: [], future: [] });
  const shown = useRef<EditedText>({ text: value, caret: value.length });

  const shownTitles = useRef<ReadonlyMap<string, string>>(undefined);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    if (readText(element) === value && shownTitles.current === titles && isNormalized(element)) return;
    const caret = document.activeElement === element ? selectedRange(element)?.end : undefined;
    renderText(element, value, titles);
    shownTitles.current = titles;
    shown.current = { text: value, caret: caret ?? value.length };
    if (caret !== undefined) placeCaret(element, Math.min(caret, value.length));
  }, [root, value, titles]);

  function pushUndo(): void {
    const { past } = undoStack.current;
    undoStack.current = { past: [...past.slice(-MAX_UNDO), shown.current], future: [] };
  }

  function show({ text, caret }: EditedText): void {
    const element = root.current;
    if (element === null) return;
    renderText(element, text, titles);
    placeCaret(element, caret);
    shown.current = { text, caret };
    onChange(text);
  }

  function replace(range: TextRange, insert: string): void {
    if (root.current === null) return;
    pushUndo();
    show(replaceRange(readText(root.current), range, insert));
  }

  /** Reads the text back after the browser has changed the element. */
  function syncFromDom(event: SyntheticEvent): void {
    const element = root.current;
    // An input method is composing a character; changing the element now would abort it.
    if (element === null || (event.nativeEvent as InputEvent).isComposing) return;
    const caret = selectedRange(element)?.end ?? 0;
    const read = readText(element);
    const text = multiline ? read : read.replaceAll("\n", "");
    if (text === shown.current.text) return;
    pushUndo();
    const isLonger = text.length > shown.current.text.length;
    if (!isNormalized(element) || text !== read) {
      renderText(element, text, titles);
      placeCaret(element, caret);
    }
    shown.current = { text, caret };
    onChange(text);
    if (isLonger && text.slice(0, caret).endsWith("{{")) onBraces({ start: caret - 2, end: caret });
  }

  function moveInHistory(from: "past" | "future", to: "past" | "future"): void {
    const target = undoStack.current[from].at(-1);
    if (target === undefined) return;
    undoStack.current = {
      ...undoStack.current,
      [from]: undoStack.current[from].slice(0, -1),
      [to]: [...undoStack.current[to], shown.current],
    };
    show(target);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const element = root.current;
    const range = element === null ? undefined : selectedRange(element);
    if (element === null || range === undefined || event.nativeEvent.isComposing) return;
    const mod = event.metaKey || event.ctrlKey;
    if (mod && event.key.toLowerCase() === "z") {
      if (event.shiftKey) moveInHistory("future", "past");
      else moveInHistory("past", "future");
    } else if (mod && event.key.toLowerCase() === "y") moveInHistory("future", "past");
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
