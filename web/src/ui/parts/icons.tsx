import type { ComponentChildren, JSX } from "preact";

function Icon({ children, size = 16 }: { children: ComponentChildren; size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
      stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const TrailIcon = (): JSX.Element => <Icon><circle cx="3.5" cy="12.5" r="1.5" /><circle cx="12.5" cy="3.5" r="1.5" /><path d="M5 12.5h5a2.25 2.25 0 0 0 0-4.5H6a2.25 2.25 0 0 1 0-4.5h5" /></Icon>;
export const ChangeIcon = (): JSX.Element => <Icon><path d="M8 2.5v6M5 5.5h6M5 12.5h6" /></Icon>;
export const Mark = (): JSX.Element => (
  <svg class="mark" width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true" focusable="false">
    <path d="M5 6.5 11 11m0 0 6-5.5M11 11v6" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
    <circle cx="5" cy="6" r="2.6" fill="var(--cluster-1)" />
    <circle cx="17.2" cy="5.2" r="2.2" fill="var(--cluster-2)" />
    <circle cx="11" cy="17.6" r="2.4" fill="var(--cluster-3)" />
    <circle cx="11" cy="11" r="3.2" fill="var(--accent)" />
  </svg>
);

export const SearchIcon = (): JSX.Element => <Icon><circle cx="7" cy="7" r="4.2" /><path d="m10.2 10.2 3.3 3.3" /></Icon>;
export const CloseIcon = (): JSX.Element => <Icon><path d="m4 4 8 8M12 4l-8 8" /></Icon>;
export const BackIcon = (): JSX.Element => <Icon><path d="M13 8H3.5M7 4 3 8l4 4" /></Icon>;
export const FolderIcon = (): JSX.Element => <Icon><path d="M1.8 4.2c0-.7.5-1.2 1.2-1.2h3l1.6 1.8H13c.7 0 1.2.5 1.2 1.2v5.8c0 .7-.5 1.2-1.2 1.2H3c-.7 0-1.2-.5-1.2-1.2z" /></Icon>;
export const ZipIcon = (): JSX.Element => <Icon><path d="M4 1.8h5.5L12.5 5v9.2H4zM9 2v3.2h3.4M6.6 4h1M6.6 6.2h1M6.6 8.4h1M6.4 10.6h1.4v1.8H6.4z" /></Icon>;
export const ExportIcon = (): JSX.Element => <Icon><path d="M8 2v7.5M5 6.8 8 9.8l3-3M2.8 11v1.6c0 .5.4.9.9.9h8.6c.5 0 .9-.4.9-.9V11" /></Icon>;
export const ReloadIcon = (): JSX.Element => <Icon><path d="M13.2 8a5.2 5.2 0 1 1-1.5-3.7M13.4 2v2.8h-2.8" /></Icon>;
export const SunIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="2.8" /><path d="M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1" /></Icon>;
export const MoonIcon = (): JSX.Element => <Icon><path d="M13.4 9.4A5.6 5.6 0 0 1 6.6 2.6a5.7 5.7 0 1 0 6.8 6.8Z" /></Icon>;
export const SystemIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="5.6" /><path d="M8 2.4a5.6 5.6 0 0 1 0 11.2z" fill="currentColor" stroke="none" /></Icon>;
export const PlusIcon = (): JSX.Element => <Icon><path d="M8 3.2v9.6M3.2 8h9.6" /></Icon>;
export const MinusIcon = (): JSX.Element => <Icon><path d="M3.2 8h9.6" /></Icon>;
export const FitIcon = (): JSX.Element => <Icon><path d="M2.5 6V3.2c0-.4.3-.7.7-.7H6M10 2.5h2.8c.4 0 .7.3.7.7V6M13.5 10v2.8c0 .4-.3.7-.7.7H10M6 13.5H3.2a.7.7 0 0 1-.7-.7V10" /></Icon>;
export const CopyIcon = (): JSX.Element => <Icon><rect x="5.5" y="5.5" width="8" height="8" rx="1.4" /><path d="M3.4 10.5h-.2c-.4 0-.7-.3-.7-.7V3.2c0-.4.3-.7.7-.7h6.6c.4 0 .7.3.7.7v.2" /></Icon>;
export const CheckIcon = (): JSX.Element => <Icon><path d="m3 8.5 3.2 3.2L13 4.8" /></Icon>;
export const CrossIcon = (): JSX.Element => <Icon><path d="m4.5 4.5 7 7M11.5 4.5l-7 7" /></Icon>;
export const ClockIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="5.6" /><path d="M8 4.8V8l2.2 1.6" /></Icon>;
export const StopIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="5.6" /><path d="M4.2 11.8 11.8 4.2" /></Icon>;
export const ChevronIcon = (): JSX.Element => <Icon><path d="m6 4 4 4-4 4" /></Icon>;
export const PanelIcon = (): JSX.Element => <Icon><rect x="2" y="2.8" width="12" height="10.4" rx="1.4" /><path d="M6.2 3v10" /></Icon>;
export const TargetIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="4.4" /><path d="M8 1.6v3M8 11.4v3M1.6 8h3M11.4 8h3" /></Icon>;
export const PointIcon = (): JSX.Element => <Icon><circle cx="8" cy="8" r="5.4" /><circle cx="8" cy="8" r="1.8" fill="currentColor" stroke="none" /></Icon>;
export const LegendIcon = (): JSX.Element => <Icon><circle cx="3.6" cy="4" r="1.4" /><circle cx="3.6" cy="8" r="1.4" /><circle cx="3.6" cy="12" r="1.4" /><path d="M7.4 4h6M7.4 8h6M7.4 12h6" /></Icon>;
export const WarnIcon = (): JSX.Element => <Icon><path d="M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.6v.1" /></Icon>;
export const UnlinkIcon = (): JSX.Element => <Icon><path d="M6.5 9.5 5 11a2.4 2.4 0 0 1-3.4-3.4l1.8-1.8M9.5 6.5 11 5a2.4 2.4 0 0 1 3.4 3.4l-1.8 1.8M2.5 2.5l11 11" /></Icon>;

/** Turns while something runs; under reduced motion it stands still and pulses no more than a dot. */
export const Spinner = (): JSX.Element => (
  <svg class="icon spinner" width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
    <circle cx="8" cy="8" r="5.4" stroke="currentColor" stroke-width="1.6" opacity="0.25" />
    <path d="M13.4 8A5.4 5.4 0 0 0 8 2.6" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
  </svg>
);
export const CommandIcon = (): JSX.Element => <Icon><path d="M5.5 5.5h5v5h-5zM5.5 5.5V4A1.5 1.5 0 1 0 4 5.5zM10.5 5.5H12A1.5 1.5 0 1 0 10.5 4zM10.5 10.5V12a1.5 1.5 0 1 0 1.5-1.5zM5.5 10.5H4A1.5 1.5 0 1 0 5.5 12z" /></Icon>;
export const GearIcon = (): JSX.Element => <Icon><path d="M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6" /><circle cx="9.7" cy="4.5" r="1.7" /><circle cx="6.3" cy="11.5" r="1.7" /></Icon>;
