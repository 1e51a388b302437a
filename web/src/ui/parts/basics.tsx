/** Small things that several parts are made of. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { kindToken } from "../graph/palette.ts";
import { CheckIcon, ChevronIcon, CopyIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

/** A dot in the colour of a node's kind. The kind itself always stands beside it in words, or in a title. */
export function KindDot({ kind }: { kind: string }): JSX.Element {
  return <span class="dot" style={{ background: `var(--${kindToken(kind)})` }} title={kind} />;
}

/** A command to copy. */
export function Command({ text }: { text: string }): JSX.Element {
  return (
    <div class="command">
      <span class="prompt" aria-hidden="true">$</span>
      <code>{text}</code>
      <CopyButton text={text} label={strings.basics.copyTheCommand(text)} />
    </div>
  );
}

export function CopyButton({ text, label, words: usual = strings.basics.copy }: { text: string; label: string; words?: string }): JSX.Element {
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  useEffect(() => {
    if (copied === "no") return undefined;
    const timer = setTimeout(() => setCopied("no"), 1800);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    // Absent where the page is not a secure context.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) setCopied("failed");
    else clipboard.writeText(text).then(() => setCopied("yes"), () => setCopied("failed"));
  };
  const words = { no: usual, yes: strings.basics.copied, failed: strings.basics.pressCtrlC }[copied];
  return (
    <button type="button" class="button small quiet" onClick={copy} aria-label={label}>
      {copied === "yes" ? <CheckIcon /> : <CopyIcon />}
      <span aria-live="polite">{words}</span>
    </button>
  );
}

/** A section of the sidebar that can be folded. */
export function Section(
  { title, aside, children, open = true, grow = false, onToggle }:
  { title: string; aside?: ComponentChildren; children: ComponentChildren; open?: boolean; grow?: boolean; onToggle?: (open: boolean) => void },
): JSX.Element {
  return (
    <details class={grow ? "section grow" : "section"} open={open} onToggle={(e) => onToggle?.(e.currentTarget.open)}>
      <summary>
        <ChevronIcon />
        <h2>{title}</h2>
        <span class="aside">{aside}</span>
      </summary>
      <div class="section-body">{children}</div>
    </details>
  );
}

export function IconButton(
  { label, onClick, children, pressed, disabled = false }:
  { label: string; onClick: () => void; children: ComponentChildren; pressed?: boolean; disabled?: boolean },
): JSX.Element {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} aria-pressed={pressed} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}

export function place({ file, line }: { file: string; line: number }): string {
  return line > 0 ? `${file}:${line}` : file;
}
